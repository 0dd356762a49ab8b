import { z } from 'zod'
import { placed } from '#src/contract/call.ts'
import { callsOf } from '#src/contract/record.ts'
import { id, keyText, unix } from '#src/contract/shapes.ts'

const call = callsOf('ecard/list/preview', { touches: [], rows: 'ecard' })
/** A preview only reads: it has nothing that orders, pays or changes. */
export const cardPreview = {
  /** A key for half an hour, that opens the preview to staff alone. */
  key: call.read('getMpImg', ['生成预览小程序码', 'A preview code'], {
    input: z.object({ id }),
    output: z.object({ id, name: z.string(), until: unix, scene: keyText(32) }),
    scope: placed('ecard', 'id'),
  }),
  /** The card that a key opens; 422 once its half hour is over. */
  opened: call.read('opened', ['打开预览', 'Open a preview'], {
    input: z.object({ scene: keyText(32, 1) }),
    output: z.object({ id, until: unix }),
    permit: 'ecard.list.preview.view',
  }),
}
