/** Whether messages still fit into what WeCom takes, once a material of theirs says more. */
import { inArray } from 'drizzle-orm'
import { materialIdsIn } from '#src/areas/welcome/attachment.ts'
import { sayingFaults } from '#src/areas/welcome/saying.ts'
import { wecom_welcome } from '#src/areas/welcome/welcome.table.ts'
import { WELCOME_BYTES } from '#src/areas/welcome/welcome.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { saidWith } from './carried.ts'
import type { MaterialBody } from './material.ts'
import { carriedMaterials } from './sending.server.ts'
import type { MaterialUse } from './uses.server.ts'

const TOLD = 5
type Change = { id: number; body: MaterialBody; uses: readonly MaterialUse[]; now: number }
/** The welcomes whose text would be too long for WeCom if a material that they carry said `body`. */
const overfull = async (db: Db, { id, body, uses, now }: Change): Promise<string[]> => {
  const ids = uses.filter(use => use.holder === 'welcome').map(use => use.id)
  if (body.kind !== 'text' || ids.length === 0) return []
  const rules = await db
    .select()
    .from(wecom_welcome)
    .where(inArray(wecom_welcome.id, ids))
    .orderBy(wecom_welcome.id)
  const held = await carriedMaterials(
    db,
    rules.flatMap(rule => materialIdsIn(rule.attachments)),
    now,
  )
  const materials = held.map(one => (one.id === id ? { ...one, text: body.text, off: null } : one))
  return rules.flatMap(rule => {
    const { text } = saidWith(rule, materials)
    return sayingFaults({ text, attachments: [] }).text ? [rule.name] : []
  })
}
/**
 * Why a material can't say `body`: welcomes that carry it would grow beyond WeCom's 4000 bytes, their
 * own text and names included; undefined where all fit.
 */
export const fittingFault = async (db: Db, of: Change): Promise<Text | undefined> => {
  const names = await overfull(db, of)
  if (names.length === 0) return undefined
  const told = names.slice(0, TOLD)
  return [
    `加上它后，${names.length} 条欢迎语超过 ${WELCOME_BYTES} 字节：${told.join('、')}；请缩短文字，或先在其中移除`,
    `With it ${names.length} welcomes are over ${WELCOME_BYTES} bytes: ${told.join(', ')}; write less, or take it out of them first`,
  ]
}
