import { newKey } from '#src/areas/partner/keys.server.ts'
import { openKeyFile } from '#src/areas/secret/keyFile.server.ts'
import { sealerOf } from '#src/areas/secret/secrets.server.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { code_partner } from './redeemCode.table.ts'

/** One whose customers redeem in its own app, and one that was stopped. */
const told = [
  { name: '招商银行信用卡中心', ip_list: ['203.0.113.0/24'], status: 'on', reason: '' },
  {
    name: '滴滴出行',
    ip_list: ['198.51.100.20'],
    status: 'off',
    reason: '合作方更换系统，待重新对接',
  },
] as const

const seedPartners = async (db: Db, _: Random, { now, codeKeys }: World): Promise<void> => {
  if (!codeKeys) return
  const sealer = await sealerOf(openKeyFile(codeKeys), db)
  for (const { ip_list, ...one } of told) {
    const at = now - 30 * DAY
    // Nobody has its secret: staff give the partner another key.
    const { set } = newKey(sealer, { app_key: null, secret_enc: null }, { prefix: 'rc', now: at })
    await db
      .insert(code_partner)
      .values({ ...one, ...set, ip_list: [...ip_list], created_at: at, updated_at: at })
  }
}
export const demo: readonly DemoStep[] = [{ place: 96, branch: 'code partners', run: seedPartners }]
