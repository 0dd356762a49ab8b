import type { Implementation } from '#src/server/implement.ts'

const mall: readonly Implementation<any>[] = []
export default mall
