// The public door of tools.
export { coreTools } from './families.ts'
