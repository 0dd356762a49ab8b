import { sql, type SQL } from 'drizzle-orm'
import { DAY, HOUR, SHANGHAI } from '#src/domain/time.ts'
import type { CardMetric } from './cardMetrics.ts'

const NIGHT_ENDS = 6 * HOUR
const during = (at: SQL, from: number, to: number) => sql`${at} > ${from} and ${at} <= ${to}`
type Event = {
  subject: SQL
  at: SQL
  w?: SQL
  x?: SQL
  order?: SQL
  code?: SQL
  member: SQL
  device?: SQL
}
/** A row as every rule counts them; an e-card stands where its issuer does. */
const columns = ({ subject, at, w, x, order, code, member, device }: Event) => sql`
  ${subject} subject, ${at} as at, ${w ?? sql`1`} w, ${x ?? sql`null::int`} x, true sets_off, ${order ?? sql`null::int`} order_id, ${code ?? sql`null::int`} code_id, ${member} member_id, ${device ?? sql`null::varchar`} device_id`
const where = (of: SQL) => sql`${of}, null::int merchant_id, null::int store_id`

const bought = (from: number, to: number, more: SQL): SQL => sql`
  select ${columns({
    subject: sql`o.member_id::text`,
    at: sql`o.paid_at`,
    w: sql`(select sum(i.qty) from order_item i where i.order_id = o.id)`,
    order: sql`o.id`,
    member: sql`o.member_id`,
    device: sql`o.device_id`,
  })}, ${where(sql`o.city_id, o.mall_id`)} from "order" o
  where ${during(sql`o.paid_at`, from, to)} and o.kind = 'ecard' and o.member_id is not null ${more}`
const ofCards = sql`ecard_ledger l join ecard_code e on e.id = l.code_id join ecard c on c.id = e.card_id`
const moved = (of: Omit<Event, 'at' | 'subject' | 'member' | 'code'>) =>
  sql`${columns({
    subject: sql`e.holder_id::text`,
    at: sql`l.created_at`,
    code: sql`e.id`,
    member: sql`e.holder_id`,
    ...of,
  })}, ${where(sql`c.city_id, c.mall_id`)}`
/** What counts for a rule about e-cards between two moments: one row an event. */
export const cardEvents = (metric: CardMetric, from: number, to: number): SQL => {
  const inTime = during(sql`l.created_at`, from, to)
  switch (metric) {
    case 'cards_bought':
      return bought(from, to, sql``)
    case 'card_night':
      return bought(from, to, sql`and (o.paid_at + ${SHANGHAI}) % ${DAY} < ${NIGHT_ENDS}`)
    case 'card_payers':
      return sql`
        select ${moved({ x: sql`o.member_id`, order: sql`o.id` })} from ${ofCards} join "order" o on o.id = e.order_id
        where ${inTime} and l.type = 'activate' and o.member_id is not null and e.holder_id is not null`
    case 'card_cashed':
      return sql`
        select ${moved({ x: sql`e.id`, order: sql`e.order_id` })} from ${ofCards}
        where ${inTime} and l.type = 'spend' and e.holder_id is not null and l.created_at - e.sold_at < ${HOUR}`
    case 'card_guesses':
      return sql`
        select ${columns({ subject: sql`t.ip`, at: sql`t.created_at`, code: sql`t.code_id`, member: sql`t.member_id`, device: sql`nullif(t.device_id, '')` })},
          ${where(sql`coalesce(c.city_id, m.city_id, 0) city_id, coalesce(c.mall_id, 0) mall_id`)}
        from ecard_try t left join ecard_code e on e.id = t.code_id left join ecard c on c.id = e.card_id left join member m on m.id = t.member_id
        where ${during(sql`t.created_at`, from, to)} and t.ip <> '' and t.result in ('wrong', 'unknown')`
  }
}
