import type { Implementation } from '#src/server/implement.ts'
import map from './server/map.ts'

const mall: readonly Implementation<any>[] = [map]
export default mall
