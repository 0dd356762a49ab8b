import './server/clock.ts'
import type { Implementation } from '#src/server/implement.ts'

const calls: readonly Implementation[] = []
export default calls
