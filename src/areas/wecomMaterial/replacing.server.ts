/** Messages that carry a material turn to another one, or hear that it says something else. */
import { eq, inArray, sql } from 'drizzle-orm'
import { wecom_send_task } from '#src/areas/wecom/wecomSend.table.ts'
import { materialIdsIn, type WelcomeAttachment } from '#src/areas/welcome/attachment.ts'
import { templates } from '#src/areas/welcome/groupRows.server.ts'
import { wecom_group_welcome } from '#src/areas/welcome/groupWelcome.table.ts'
import { welcomes } from '#src/areas/welcome/rules.server.ts'
import { wecom_welcome, wecom_welcome_content } from '#src/areas/welcome/welcome.table.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { lockSequence } from '#src/server/db/sequence.ts'
import type { MaterialUse } from './uses.server.ts'

/** Whoever changes what messages carry waits for those who write the messages. */
export const lockHolders = async (tx: Db): Promise<void> => {
  await lockSequence(tx, 'wecom_welcome')
  await lockSequence(tx, 'wecom_group_welcome')
}
/** The pieces of a message with one material in the place of another, and none of them twice. */
const turned = (
  attachments: readonly WelcomeAttachment[],
  from: number,
  to: number,
): WelcomeAttachment[] =>
  materialIdsIn(attachments).includes(to)
    ? attachments.filter(one => one.kind !== 'material' || one.id !== from)
    : attachments.map(one =>
        one.kind === 'material' && one.id === from ? { ...one, id: to } : one,
      )
const turnWelcomes = async (
  context: WriteContext,
  ids: readonly number[],
  { from, to }: { from: number; to: number },
) => {
  const { tx, staff, now } = context
  const rows = await tx
    .select()
    .from(wecom_welcome)
    .where(inArray(wecom_welcome.id, [0, ...ids]))
    .orderBy(wecom_welcome.id)
    .for('update')
  for (const was of rows) {
    const attachments = turned(was.attachments, from, to)
    const after = await welcomes.save(context, was, { attachments, content_n: was.content_n + 1 })
    await tx.insert(wecom_welcome_content).values({
      welcome_id: after.id,
      n: after.content_n,
      text: after.text,
      attachments,
      coupon_id: after.coupon_id,
      created_at: now,
      created_by: staff.id,
    })
  }
}
/** WeCom is to hear of templates as they are now. */
const toTell = (now: number) => ({
  work: 'waiting' as const,
  next_at: now,
  tries: 0,
  errcode: 0,
  error: '',
})
const turnTemplates = async (context: WriteContext, ids: readonly number[], to: number) => {
  const { tx, now } = context
  const rows = await tx
    .select()
    .from(wecom_group_welcome)
    .where(inArray(wecom_group_welcome.id, [0, ...ids]))
    .orderBy(wecom_group_welcome.id)
    .for('update')
  for (const was of rows)
    await templates.save(context, was, {
      attachment: { kind: 'material', id: to },
      content_n: was.content_n + 1,
      ...toTell(now),
    })
}
const turnMasses = async (
  { tx }: WriteContext,
  ids: readonly number[],
  { from, to }: { from: number; to: number },
) => {
  const rows = await tx
    .select()
    .from(wecom_send_task)
    .where(inArray(wecom_send_task.id, [0, ...ids]))
    .orderBy(wecom_send_task.id)
    .for('update')
  for (const { id, materials, version } of rows) {
    const rest = materials.filter(one => one.id !== from)
    const next = rest.some(one => one.id === to)
      ? rest
      : materials.map(one => (one.id === from ? { id: to, n: null } : one))
    await tx
      .update(wecom_send_task)
      .set({ materials: next, version: version + 1 })
      .where(eq(wecom_send_task.id, id))
  }
}
const idsOf = (uses: readonly MaterialUse[], holder: MaterialUse['holder']) =>
  uses.filter(use => use.holder === holder).map(use => use.id)
/** Turns every message that carries a material to another one, each with its line in the log. */
export const turnUses = async (
  context: WriteContext,
  uses: readonly MaterialUse[],
  of: { from: number; to: number },
): Promise<void> => {
  await turnWelcomes(context, idsOf(uses, 'welcome'), of)
  await turnTemplates(context, idsOf(uses, 'group'), of.to)
  await turnMasses(context, idsOf(uses, 'mass'), of)
  if (uses.length > 0) context.changed('wecom_welcome', 'wecom_group_welcome', 'wecom_send')
}
/** Templates that carry a material are told to WeCom anew, as it says something else now. */
export const retellTemplates = async (
  { tx, now, changed }: WriteContext,
  uses: readonly MaterialUse[],
): Promise<void> => {
  const ids = idsOf(uses, 'group')
  if (ids.length === 0) return
  const g = wecom_group_welcome
  await tx
    .update(g)
    .set({ ...toTell(now), content_n: sql`${g.content_n} + 1`, version: sql`${g.version} + 1` })
    .where(inArray(g.id, ids))
  changed('wecom_group_welcome')
}
