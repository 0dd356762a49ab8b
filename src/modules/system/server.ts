import type { Implementation } from '#src/server/implement.ts'

const system: readonly Implementation<any>[] = []
export default system
