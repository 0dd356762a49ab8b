/** A film ticket as a reward: a coupon that pays one seat of a film, up to its face. */
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { otherRewards } from './goods.ts'

type Named = {
  name: string
  /** What a film ticket pays at most; null of other coupons. */ film_cents: number | null
}
type Say = (text: Text, values?: Record<string, string | number>) => string
/** A coupon in words: a film ticket says what it is good for. */
export const couponText = ({ name, film_cents }: Named, say: Say): string =>
  film_cents === null
    ? name
    : say(['影票「{name}」（最高 {most} 元）', 'Film ticket “{name}” up to ¥{most}'], {
        name,
        most: yuan(film_cents),
      })
/** All that a batch gives, in words: its coupons first. */
export const rewardsOf = (
  of: Parameters<typeof otherRewards>[0] & { coupons: readonly Named[] },
  say: Say,
): string[] => [...of.coupons.map(one => couponText(one, say)), ...otherRewards(of, say)]
