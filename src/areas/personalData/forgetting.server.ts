import { eq } from 'drizzle-orm'
import { live_subscriber } from '#src/areas/broadcast/live.table.ts'
import { member_tag_of } from '#src/areas/member/care.table.ts'
import { forgetProfile } from '#src/areas/profile/profiles.server.ts'
import { wecom_customer } from '#src/areas/wecom/wecom.table.ts'
import type { Db } from '#src/server/call/implement.ts'

/**
 * Erases what is held of a member beside the account itself and is not kept by law (`dataParts`). The
 * contact in WeCom is the adviser's own and stays there, but leads to no member any more.
 */
export const forgetPerson = async (tx: Db, member_id: number, now: number): Promise<void> => {
  await forgetProfile(tx, member_id, now)
  await tx.delete(member_tag_of).where(eq(member_tag_of.member_id, member_id))
  await tx.delete(live_subscriber).where(eq(live_subscriber.member_id, member_id))
  await tx
    .update(wecom_customer)
    .set({ clash_member_id: null })
    .where(eq(wecom_customer.clash_member_id, member_id))
  await tx
    .update(wecom_customer)
    .set({ member_id: null, matched_by: null, phone: '' })
    .where(eq(wecom_customer.member_id, member_id))
}
