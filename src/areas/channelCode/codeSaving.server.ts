import { and, eq, inArray, sql } from 'drizzle-orm'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { staffSeen } from '#src/areas/wecom/staff.server.ts'
import { wecom_staff, wecom_tag } from '#src/areas/wecom/wecom.table.ts'
import { wecom_welcome } from '#src/areas/welcome/welcome.table.ts'
import type { Text } from '#src/domain/text.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { faultless } from '#src/server/call/record.ts'
import { seesAll } from '#src/server/call/scope.ts'
import { peopleOf, type CodeBody } from './channelCode.ts'
import { codeFaults } from './codeRules.ts'
import { staffBy } from './staffNow.server.ts'

type Faults = Record<string, Text | undefined>
/** Colleagues whom the person may put into a code: those they see, and those who stand in it. */
const rightsFor = async ({ tx, staff }: WriteContext, body: CodeBody, was?: CodeBody) => {
  const known = await staffBy(tx, peopleOf(body))
  const seen = new Set(
    (
      await tx
        .select({ userid: wecom_staff.userid })
        .from(wecom_staff)
        .where(and(inArray(wecom_staff.userid, ['', ...peopleOf(body)]), staffSeen(staff)))
    ).map(one => one.userid),
  )
  const standing = new Set(was ? peopleOf(was) : [])
  return (userid: string) =>
    seen.has(userid) || standing.has(userid) ? known.get(userid) : undefined
}
const placeFaults = async (
  { tx, staff }: WriteContext,
  { mall_id, store_id }: CodeBody,
): Promise<Faults> => {
  if (mall_id === null && !seesAll(staff.scope))
    return { mall_id: ['请选择商场，否则你将看不到这个活码', 'Choose a mall, or you won’t see it'] }
  if (store_id === null) return {}
  const [at] = await tx.select({ mall_id: store.mall_id }).from(store).where(eq(store.id, store_id))
  if (!at) return { store_id: ['门店不存在', 'There is no such store'] }
  return at.mall_id === (mall_id ?? 0)
    ? {}
    : { store_id: ['门店不在所选商场', 'The store is not in that mall'] }
}
const linkFaults = async (
  { tx }: WriteContext,
  { tag_ids, welcome_id, verify_mode, verify_windows }: CodeBody,
): Promise<Faults> => {
  const tags = await tx
    .select({ id: wecom_tag.id })
    .from(wecom_tag)
    .where(and(inArray(wecom_tag.id, [0, ...tag_ids]), eq(wecom_tag.status, 'active')))
  const [welcome] =
    welcome_id === null
      ? []
      : await tx
          .select({ id: wecom_welcome.id })
          .from(wecom_welcome)
          .where(
            and(
              eq(wecom_welcome.id, welcome_id),
              eq(wecom_welcome.scope, 'code'),
              eq(wecom_welcome.status, 'enabled'),
            ),
          )
          // Nobody takes it off while a code begins to need it.
          .for('share')
  const isWrong = verify_windows.some(
    one => one.weekdays.length === 0 || one.from_min >= one.to_min,
  )
  return {
    ...(tags.length < new Set(tag_ids).size && {
      tag_ids: ['有标签已失效，请移除', 'Some tags are gone: take them out'] as Text,
    }),
    ...(welcome_id !== null &&
      !welcome && {
        welcome_id: ['欢迎语已停用或不是活码专属', 'It is off, or not one of codes'] as Text,
      }),
    ...(verify_mode === 'by_time' &&
      (verify_windows.length === 0 || isWrong) && {
        verify_windows: [
          '请填写自动通过的时段，结束须晚于开始',
          'Say at which hours; each ends after it begins',
        ] as Text,
      }),
  }
}
/** Refuses, at its fields, a body that may not be published: 400. `was` is what stood there before. */
export const needSound = async (
  context: WriteContext,
  body: CodeBody,
  was?: CodeBody,
): Promise<void> => {
  faultless(context.staff, {
    ...codeFaults(body, await rightsFor(context, body, was), context.now),
    ...(await placeFaults(context, body)),
    ...(await linkFaults(context, body)),
  })
}
/**
 * Refuses what even a draft may not hold: places and people that are not the person's to choose.
 * What is missing yet is asked for when it is published.
 */
export const needDraft = async (
  context: WriteContext,
  body: CodeBody,
  was?: CodeBody,
): Promise<void> => {
  const rightsOf = await rightsFor(context, body, was)
  const stranger = peopleOf(body).find(userid => !rightsOf(userid))
  faultless(context.staff, {
    ...(stranger !== undefined && { members: ['成员不存在', 'There is no such member'] as Text }),
    ...(await placeFaults(context, body)),
  })
}
/** Advisers who could answer for a mall, those with the fewest customers first. */
export const ableOfMall = async ({ tx, staff }: WriteContext, mall_id: number, most: number) =>
  tx
    .select({ userid: wecom_staff.userid })
    .from(wecom_staff)
    .where(
      and(
        sql`${wecom_staff.mall_ids} @> array[${mall_id}]::int[]`,
        eq(wecom_staff.status, 'active'),
        wecom_staff.is_verified,
        wecom_staff.has_contact_right,
        staffSeen(staff),
      ),
    )
    .orderBy(wecom_staff.customer_count, wecom_staff.id)
    .limit(most)
