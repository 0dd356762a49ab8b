import { cards } from '#src/areas/ecard/cards.server.ts'
import { PREVIEW_SECONDS, previewKey, previewOf } from '#src/areas/ecard/previewKey.ts'
import { implement } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { cardPreview } from '../contract/preview.ts'

export const cardPreviewServer = implement(cardPreview, {
  key: async ({ id }, { db, staff, now, install }) => {
    const { name } = await cards.read(db, staff, id)
    const until = now + PREVIEW_SECONDS
    return { id, name, until, scene: previewKey(id, until, install.sign) }
  },
  opened: async ({ scene }, { db, staff, now, install }) => {
    const of = previewOf(scene, install.sign)
    if (!of) throw missing()
    await cards.read(db, staff, of.id)
    if (of.until <= now)
      throw ruled('preview_over', [
        '预览码已过期（30 分钟有效），请重新生成',
        'The preview is over after 30 minutes: make a code anew',
      ])
    return of
  },
})
