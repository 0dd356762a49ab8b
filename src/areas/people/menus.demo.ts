import { randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep } from '#src/server/demo/step.ts'
import { hashToken } from '#src/server/sessions/sessions.ts'
import { firstMerchantMenu, syncMenu } from './menu.server.ts'
import type { Person } from './people.demo.ts'
import { admin_session, menu } from './people.table.ts'

/**
 * The console's own menu, the merchant app's (two pages of it in gray release, one not released
 * yet), and the sessions of the staff: 300, of them 20 live.
 */
const seedMenus = async (
  db: Db,
  random: Random,
  {
    now,
    people,
    cityIds,
    storeIds,
  }: {
    now: number
    people: readonly Person[]
    cityIds: readonly number[]
    storeIds: readonly number[]
  },
): Promise<void> => {
  await syncMenu(db, now - 300 * DAY)
  await firstMerchantMenu(db, now - 300 * DAY)
  const at = (redirect: string) => and(eq(menu.side, 'merchant'), eq(menu.redirect, redirect))
  await db.update(menu).set({ visible: false }).where(at('/live/room'))
  await db
    .update(menu)
    .set({ gray_city_ids: [cityIds[0]!] })
    .where(at('/delivery/list'))
  await db
    .update(menu)
    .set({ gray_store_ids: storeIds.slice(0, 12) })
    .where(at('/settle/fee'))
  const active = people.filter(one => one.status === 'active' && one.id > 4)
  await insertRows(
    db,
    admin_session,
    Array.from({ length: 300 }, (_, at) => {
      const live = at >= 280
      const since = live ? now - random.int(300, 6 * 3600) : now - random.int(1, 60) * DAY
      return {
        admin_id: live ? active[(at * 3) % active.length]!.id : random.pick(active).id,
        token_hash: hashToken(randomBytes(32).toString('base64url')),
        ip: `10.2.${random.int(0, 9)}.${random.int(2, 250)}`,
        ua: random.pick([
          'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/131.0',
          'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_6) Chrome/130.0',
          'Mozilla/5.0 (Windows NT 10.0) Edg/131.0',
        ]),
        place: null,
        created_at: since,
        expires_at: live ? now + random.int(5, 30) * 60 : since + 3600,
        ended_at: live ? null : since + random.int(600, 3600),
        end_reason: live ? null : random.pick(['logout', 'expired', 'expired', 'kicked'] as const),
      }
    }),
  )
}

export const demo: readonly DemoStep[] = [{ place: 10, branch: 'menus', run: seedMenus }]
