import { and, eq } from 'drizzle-orm'
import { needAllCities } from '#src/areas/place/places.server.ts'
import { say } from '#src/domain/text.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { lockSequence } from '#src/server/db/sequence.ts'
import { blockFaults, kindOf, type PageType } from './blocks.ts'
import { page_scheme } from './scheme.table.ts'
import { schemes, type Scheme } from './schemes.server.ts'

/** A template that nothing is wrong with by itself: what it shows depends on the place. */
const soundTemplate = async (
  context: WriteContext,
  type: PageType,
  id: number,
): Promise<Scheme> => {
  const row = await schemes.lock(context, id)
  if (row.type !== type || !row.is_template) throw missing()
  const blocks = row.draft ?? []
  if (blocks.length === 0) throw ruled('no_blocks', ['模板没有组件', 'The template has no blocks'])
  const [fault] = blockFaults(type, blocks)
  if (!fault) return row
  const { title } = kindOf(blocks.find(one => one.id === fault.block)!.kind)
  throw ruled(
    'invalid_blocks',
    ['模板的“{of}”须先补全：{why}', '“{of}” of the template lacks something: {why}'],
    { of: say(title, context.staff.lang), why: say(fault.text, context.staff.lang) },
  )
}
/** Makes one template of a type what is shown without a page; without one, what every page begins with. */
export const setFallback = async (
  context: WriteContext,
  type: PageType,
  template_id: number | undefined,
): Promise<{ id: number }> => {
  needAllCities(context.staff)
  await lockSequence(context.tx, `page_fallback/${type}`)
  const [old] = await context.tx
    .select()
    .from(page_scheme)
    .where(and(eq(page_scheme.type, type), page_scheme.is_fallback))
  if ((old?.id ?? 0) === (template_id ?? 0))
    throw ruled('already', ['已是默认模板', 'It is the default already'])
  const chosen =
    template_id === undefined ? undefined : await soundTemplate(context, type, template_id)
  if (old) await schemes.set(context, old, { is_fallback: false })
  if (chosen) await schemes.set(context, chosen, { is_fallback: true })
  schemes.log(context, (chosen ?? old)!, {
    before: { fallback: old?.name ?? null },
    after: { fallback: chosen?.name ?? null },
  })
  return { id: chosen?.id ?? 0 }
}
