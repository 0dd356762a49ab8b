import { z } from 'zod'
import { blocks, type Block } from '#src/areas/mall/recommend.ts'
import { placed, read } from '#src/contract/call.ts'
import { id, keysOf } from '#src/contract/shapes.ts'

/** Where the boards begin when no mall is named. */
export const opening = {
  /** The mall of mine that has most of what a board chooses from. */
  mall: read('mall/opening', ['看板默认商场', 'The mall that a board opens on'], {
    input: z.object({ block: keysOf<Block>(blocks) }),
    output: z.object({ mid: id.nullable() }),
    touches: [],
    scope: placed('mall'),
    permit: 'signed-in',
  }),
}
