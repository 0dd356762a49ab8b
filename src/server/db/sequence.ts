import { sql } from 'drizzle-orm'
import { isPermutation, sequenceVersion } from '#src/domain/sequence.ts'
import type { Db } from '#src/server/call/implement.ts'
import { conflict, invalid } from '#src/server/call/refuse.ts'

/**
 * Changes of one ordered or limited list wait for each other until their transactions end; `list`
 * names it: `banner/home/3`. Of several, take the names sorted.
 */
export const lockSequence = (tx: Db, list: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${list}, 41802))`)

/** The hot malls of a city, which its settings and its malls both change. */
export const hotMallList = (city_id: number): string => `city_setting/hot_mall/${city_id}`

/**
 * The order as sent, or why not: 409 with the present order when it was made from another one, 400
 * when it does not hold exactly the rows of the list.
 */
export const orderSent = (
  sent: { order: readonly number[]; list_version: number },
  present: readonly number[],
): readonly number[] => {
  const list_version = sequenceVersion(present)
  if (sent.list_version !== list_version)
    throw conflict(
      [
        '排序期间列表已变化，请按最新的顺序再调整',
        'The list changed meanwhile: arrange it again from the present order',
      ],
      {},
      { order: present, list_version },
    )
  if (!isPermutation(sent.order, present))
    throw invalid({ order: ['必须恰好包含列表中的每一项', 'Must hold each row of the list once'] })
  return sent.order
}
