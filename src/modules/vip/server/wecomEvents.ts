import { and, eq, ne, sql } from 'drizzle-orm'
import {
  onWecomEvent,
  type WecomEvent,
  type WecomEventContext,
} from '#src/areas/wecom/events.server.ts'
import type { RelationEvent } from '#src/areas/wecom/relation.ts'
import { applyRelations } from '#src/areas/wecom/relations.server.ts'
import { takeGroup } from '#src/areas/wecom/syncGroups.server.ts'
import { takeTags } from '#src/areas/wecom/syncTags.server.ts'
import { takeExternal } from '#src/areas/wecom/taking.server.ts'
import { failTransfer } from '#src/areas/wecom/transferring.server.ts'
import { wecom_customer, wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import type { WecomFault } from '#src/areas/wecom/wecomFault.ts'
import { wecom_group } from '#src/areas/wecom/wecomGroup.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'

const CUSTOMER = 'change_external_contact'
/** WeCom's codes of somebody whom nobody follows. */
const NO_FRIENDS: readonly number[] = [84061, 40096]
/** WeCom tells nothing of what an event is about: its own words are kept with the event. */
const silent = ({ text }: WecomFault) => new Refusal(503, text)
/** The customer and the adviser of an event; undefined where one of them is not known here. */
const pairOf = async (db: Db, { fields }: WecomEvent) => {
  const [customer] = await db
    .select({ id: wecom_customer.id })
    .from(wecom_customer)
    .where(eq(wecom_customer.external_userid, fields['ExternalUserID'] ?? ''))
  const [adviser] = await db
    .select({ id: wecom_staff.id })
    .from(wecom_staff)
    .where(eq(wecom_staff.userid, fields['UserID'] ?? ''))
  return customer && adviser ? { customer_id: customer.id, staff_id: adviser.id } : undefined
}
/** Takes the customer of an event as WeCom tells it now. */
const takeNow = async (
  event: WecomEvent,
  { database, install, now }: WecomEventContext,
): Promise<readonly string[]> => {
  const external_userid = event.fields['ExternalUserID'] ?? ''
  const answer = await install.wecom.external(external_userid)
  if ('fault' in answer && !NO_FRIENDS.includes(answer.fault.code)) throw silent(answer.fault)
  const said = 'said' in answer ? answer.said : undefined
  await database.transaction(tx => takeExternal(tx, { external_userid, said, asked_at: now, now }))
  return ['wecom_customer', 'wecom_staff']
}
/** Takes what happened between two; that they were together, and then no more, is known by its time. */
const happened =
  (kindOf: (event: WecomEvent) => RelationEvent['kind']) =>
  async (event: WecomEvent, { database }: WecomEventContext): Promise<readonly string[]> => {
    const pair = await pairOf(database.db, event)
    if (!pair) return []
    await database.transaction(tx =>
      applyRelations(tx, [{ ...pair, kind: kindOf(event), at: event.happened_at }]),
    )
    return ['wecom_customer', 'wecom_staff']
  }
onWecomEvent(`${CUSTOMER}.add_external_contact`, takeNow)
onWecomEvent(`${CUSTOMER}.edit_external_contact`, takeNow)
onWecomEvent(
  `${CUSTOMER}.del_external_contact`,
  happened(({ fields }) => (fields['Source'] === 'DELETE_BY_TRANSFER' ? 'transfer' : 'del_staff')),
)
onWecomEvent(
  `${CUSTOMER}.del_follow_user`,
  happened(() => 'del_customer'),
)
/** A customer refused the new adviser, or the adviser has as many as WeCom allows. */
onWecomEvent(`${CUSTOMER}.transfer_fail`, async (event, { database }) => {
  const pair = await pairOf(database.db, event)
  if (!pair) return []
  const why = event.fields['FailReason'] ?? ''
  const ended = await database.transaction(tx =>
    failTransfer(tx, { ...pair, why, at: event.happened_at }),
  )
  return ended ? ['wecom_transfer', 'wecom_staff', 'wecom_customer'] : []
})
/** Whatever changed among the corp's tags, all of them are asked for: they are few. */
onWecomEvent('change_external_tag', async (_, { database, install }) => {
  const answer = await install.wecom.tagGroups()
  if ('fault' in answer) throw silent(answer.fault)
  await database.transaction(tx => takeTags(tx, answer.said))
  return ['wecom_tag', 'wecom_customer']
})
onWecomEvent('change_external_chat', async (event, { database, install, now }) => {
  const chat_id = event.fields['ChatId'] ?? ''
  if (event.change === 'dismiss') {
    await database.db
      .update(wecom_group)
      .set({
        status: 'dismissed',
        dismissed_at: event.happened_at,
        version: sql`${wecom_group.version} + 1`,
      })
      .where(and(eq(wecom_group.chat_id, chat_id), ne(wecom_group.status, 'dismissed')))
    return ['wecom_group']
  }
  const answer = await install.wecom.groupChat(chat_id)
  if ('fault' in answer) {
    if (answer.fault.kind === 'refused') return []
    throw silent(answer.fault)
  }
  await database.transaction(tx => takeGroup(tx, answer.said, now))
  return ['wecom_group', 'wecom_customer']
})
