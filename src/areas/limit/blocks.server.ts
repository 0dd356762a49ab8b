import { sql } from 'drizzle-orm'
import type { Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { buy_limit_log } from './limit.table.ts'
import { stopText, type LimitedKind } from './rule.ts'
import { saidOf, type Stop } from './usage.server.ts'

type Block = Omit<typeof buy_limit_log.$inferInsert, 'fold_key'> & { created_at: number }
/** A purchase that a limit stops; its block is written once the order is taken back. */
export class Stopped extends Refusal {
  constructor(
    text: ConstructorParameters<typeof Refusal>[1],
    values: Record<string, string | number>,
    readonly block: Block,
    code = 'over_limit',
  ) {
    super(422, text, values, { rule: code })
    this.name = 'Stopped'
  }
  override keeps(tx: Db): Promise<void> {
    return writeBlock(tx, this.block)
  }
}
/** The buyer that is stopped, and where they bought. */
export type Stopping = {
  member_id: number | null
  visitor_phone: string | null
  device_id: string | null
  channel: string
  now: number
}
/** The words of a limit with the receiver that it is about, where several are asked for. */
const toReceiver = (text: Text, { share }: Stop): Text =>
  share
    ? [`${text[0]}（收卡人尾号 {tail}）`, `${text[1]} (the receiver whose phone ends in {tail})`]
    : text
/** The refusal of a purchase by the limit that decided: it names the limit and keeps the block. */
export const stopped = (stop: Stop, of: Stopping): Stopped => {
  const { rule, own, limit, had, left, wanted } = stop
  const [line] = stop.lines
  const { now, ...who } = of
  const [way] = line!.ways
  const text = rule
    ? stopText(rule, { limit, had, left, now })
    : (own?.text ??
      ([
        '「{title}」每人限购 {n} 件，已购 {had} 件，还可购 {left} 件',
        '“{title}”: {n} for each buyer, {had} bought already, {left} more may be',
      ] as const))
  return new Stopped(
    toReceiver(text, stop),
    { title: line!.title, n: limit, most: limit, had, left, tail: stop.value.slice(-4) },
    {
      ...who,
      product_id: line!.card_id === undefined ? line!.product_id : null,
      ecard_id: line!.card_id ?? null,
      product_kind: line!.kind satisfies LimitedKind,
      city_id: line!.city_id,
      mall_id: line!.mall_id,
      activity_type: way ?? null,
      rule: rule ? 'rule' : (own?.kind ?? 'per_person'),
      rule_id: rule?.id ?? null,
      rule_version: rule?.version ?? null,
      rule_said: rule ? saidOf(rule) : null,
      dimension: stop.dimension,
      dim_value: stop.value.slice(0, 64),
      limit_n: limit,
      bought_n: had,
      asked_n: wanted,
      allowed_n: left,
      created_at: now,
      updated_at: now,
    },
    own?.code,
  )
}

const MINUTE = 60
/**
 * Writes a block down: hits of one buyer, product and limit within a minute fold into one row, in one
 * statement. One that was released since stays as it is, as its release is for what was asked then.
 */
export const writeBlock = async (tx: Db, block: Block): Promise<void> => {
  const buyer = block.member_id ?? `v${block.visitor_phone ?? block.dim_value}`
  const what = block.product_id ?? `E${block.ecard_id}`
  const fold_key = `${buyer}|${what}|${block.rule_id ?? block.rule}|${Math.floor(block.created_at / MINUTE)}`
  const last = (name: string) => sql.raw(`excluded.${name}`)
  await tx
    .insert(buy_limit_log)
    .values({ ...block, fold_key })
    .onConflictDoUpdate({
      target: buy_limit_log.fold_key,
      set: {
        folded: sql`${buy_limit_log.folded} + 1`,
        version: sql`${buy_limit_log.version} + 1`,
        limit_n: last('limit_n'),
        bought_n: last('bought_n'),
        asked_n: last('asked_n'),
        allowed_n: last('allowed_n'),
        rule_version: last('rule_version'),
        rule_said: last('rule_said'),
        updated_at: last('updated_at'),
      },
      setWhere: sql`${buy_limit_log.result} = 'blocked'`,
    })
  if (block.rule_id)
    await tx.execute(sql`update buy_limit_rule set hits = hits + 1 where id = ${block.rule_id}`)
}
/**
 * Runs a purchase in a transaction of its own. One that a limit stops is taken back whole, and its
 * block is written in another transaction; the refusal is thrown on.
 */
export const keepingBlocks = async <T>(
  { transaction }: Pick<Database, 'transaction'>,
  run: (tx: Db) => Promise<T>,
): Promise<T> => {
  try {
    return await transaction(run)
  } catch (error) {
    if (error instanceof Stopped) await transaction(tx => error.keeps(tx))
    throw error
  }
}
