import { eq, sql } from 'drizzle-orm'
import { verifyKinds } from '#src/areas/code/verifier.ts'
import { verifier } from '#src/areas/notice/duty.table.ts'
import { say } from '#src/domain/text.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { invalid, ruled } from '#src/server/call/refuse.ts'
import type { store } from './merchant.table.ts'

type Store = Pick<typeof store.$inferSelect, 'id' | 'name' | 'merchant_id' | 'city_id'>
/**
 * Lets a clerk redeem at a store: somebody new by their name, or one of the same merchant who works
 * at other stores. A phone is one clerk's everywhere.
 */
export const addClerk = async (
  { tx, staff, log }: WriteContext,
  of: Store,
  { phone, name }: { phone: string; name?: string | undefined },
): Promise<{ verifier_id: number; made: boolean }> => {
  const [known] = await tx.select().from(verifier).where(eq(verifier.phone, phone)).for('update')
  if (!known) {
    if (!name)
      throw invalid({
        name: say(['新核销员须填写姓名', 'A new clerk needs a name'], staff.lang),
      })
    const kinds = Object.keys(verifyKinds)
    const values = { name, phone, kinds, store_ids: [of.id] }
    const [made] = await tx
      .insert(verifier)
      .values({ ...values, merchant_id: of.merchant_id, city_id: of.city_id })
      .returning()
    const object = { object_type: 'verifier', object_id: made!.id, object_label: name }
    log({ ...object, before: null, after: values })
    return { verifier_id: made!.id, made: true }
  }
  if (known.merchant_id !== of.merchant_id)
    throw ruled('other_merchant', [
      '该手机号已是其他商户的核销员，一名核销员只能服务一家商户',
      'This phone is a clerk’s of another merchant: a clerk serves one merchant',
    ])
  if (known.status !== 'active')
    throw ruled(
      'disabled',
      ['核销员「{name}」已停用，请先在核销员列表启用', '{name} is disabled: enable them first'],
      { name: known.name },
    )
  if (known.store_ids.includes(of.id))
    throw ruled('already', ['「{name}」已是本店核销员', '{name} is a clerk here'], {
      name: known.name,
    })
  const store_ids = [...known.store_ids, of.id]
  await tx
    .update(verifier)
    .set({ store_ids, version: sql`${verifier.version} + 1` })
    .where(eq(verifier.id, known.id))
  log({
    object_type: 'verifier',
    object_id: known.id,
    object_label: known.name,
    before: { store_ids: known.store_ids },
    after: { store_ids },
  })
  return { verifier_id: known.id, made: false }
}
