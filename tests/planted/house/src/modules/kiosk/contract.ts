import { z } from 'zod'
import { placed } from '#src/contract/call.ts'
import { changes, lists, reason, status } from '#src/contract/record.ts'
import { id, version } from '#src/contract/shapes.ts'

export const kioskRow = z.object({ id, mall_id: id, name: z.string(), status, version })
const touches = ['kiosk'] as const

export const machine = {
  lst: lists('kiosk/machine/lst', ['自助机', 'Kiosks'], {
    filters: {},
    row: kioskRow,
    touches,
    scope: placed('kiosk'),
  }),
  disable: changes('kiosk/machine/disable', ['停用自助机', 'Disable a kiosk'], {
    fields: { reason },
    touches,
    scope: placed('kiosk', 'id'),
  }),
}
