import type { Implementation } from '#src/server/implement.ts'
import { cityServer } from './server/city.ts'
import dataIndex from './server/dataIndex.ts'

const system: readonly Implementation<any>[] = [cityServer, dataIndex]
export default system
