import { and, desc, eq, gt, lte, sql } from 'drizzle-orm'
import { page_link } from '#src/areas/content/content.table.ts'
import { h5_link, h5_visit } from '#src/areas/merchant/texts.table.ts'
import { setting } from '#src/areas/people/people.table.ts'
import { dateOf } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { CLICK_COUNTS_S, h5State, type H5State } from './h5Link.ts'

/** Days that WeChat's own links live, as the installation's settings say. */
export const wechatDays = async (db: Db): Promise<number> => {
  const [row] = await db
    .select({ value: setting.value })
    .from(setting)
    .where(eq(setting.key, 'h5link'))
  return (row?.value as { wechat_days?: number } | undefined)?.wechat_days ?? 30
}
export type OpenLink = {
  id: number
  state: H5State
  name: string
  params: (typeof h5_link.$inferSelect)['params']
  link: typeof page_link.$inferSelect
}
/** A short link by its code, with what it leads to. */
export const linkOfCode = async (
  db: Db,
  code: string,
  now: number,
): Promise<OpenLink | undefined> => {
  const [found] = await db
    .select()
    .from(h5_link)
    .innerJoin(page_link, eq(page_link.id, h5_link.page_link_id))
    .where(eq(h5_link.code, code))
  return (
    found && {
      id: found.h5_link.id,
      state: h5State(found.h5_link, now),
      name: found.h5_link.name,
      params: found.h5_link.params,
      link: found.page_link,
    }
  )
}
/** A device opened a link: one visit a day, of which the last time is kept. */
export const countVisit = (db: Db, of: { h5_link_id: number; device: string; now: number }) =>
  db
    .insert(h5_visit)
    .values({ h5_link_id: of.h5_link_id, day: dateOf(of.now), device: of.device, at: of.now })
    .onConflictDoUpdate({
      target: [h5_visit.h5_link_id, h5_visit.day, h5_visit.device],
      set: { at: sql`greatest(${h5_visit.at}, excluded.at)` },
    })
/** The link that an order of a device is counted for: the last it opened within 7 days. */
export const lastClicked = async (db: Db, device: string, now: number): Promise<number | null> => {
  const [last] = await db
    .select({ id: h5_visit.h5_link_id })
    .from(h5_visit)
    .where(
      and(
        eq(h5_visit.device, device),
        gt(h5_visit.at, now - CLICK_COUNTS_S),
        lte(h5_visit.at, now),
      ),
    )
    .orderBy(desc(h5_visit.at), desc(h5_visit.id))
    .limit(1)
  return last?.id ?? null
}
