import { expect, it } from 'vitest'
import {
  countedLength,
  countedText,
  heldFor,
  mayFeature,
  mayRevoke,
  rewardOf,
  sumOf,
} from '#src/areas/review/review.ts'

it('counts a text without emoji, signs, spaces and repetitions', () => {
  expect(countedText('好吃好吃好吃！！😋😋')).toBe('好吃')
  expect(countedText('👨‍👩‍👧 很 好，，，很好 🇨🇳')).toBe('很好')
  expect(countedText('ＡＢＣ abc')).toBe('abc')
  expect(countedLength('哈哈哈哈哈哈哈哈哈哈哈哈')).toBe(1)
  expect(countedLength('今天的烤鱼外酥里嫩，配菜也新鲜')).toBe(14)
  expect(countedLength('')).toBe(0)
  // A long text of nothing new is counted at once.
  expect(countedLength('味道不错下次再来'.repeat(60))).toBe(8)
})
it('adds what a review has', () => {
  const config = { star: 2, text: 5, text_min: 20, images: 5, video: 10, featured: 50 }
  const of = (text_n: number, images_n: number, has_video: boolean) =>
    sumOf(rewardOf(config, { text_n, images_n, has_video }))
  expect([of(0, 0, false), of(19, 0, false), of(20, 0, false), of(20, 3, true)]).toEqual([
    2, 2, 7, 22,
  ])
})
it('holds back what advertises', () => {
  expect(heldFor('服务很好')).toEqual([])
  expect(heldFor('加微信领返现')).toEqual(['加微信', '返现'])
  expect(heldFor('打 13800138000 找我')).toEqual(['13800138000'])
})
it('knows what can be featured and taken back', () => {
  const of = { state: 'paid', featured_at: null, deleted_at: null, comment_state: 'shown' } as const
  expect(mayFeature(of)).toBe(true)
  for (const more of [
    { featured_at: 1 },
    { deleted_at: 1 },
    { state: 'revoked' as const },
    { comment_state: 'hidden' as const },
  ])
    expect(mayFeature({ ...of, ...more })).not.toBe(true)
  expect(mayRevoke({ state: 'paid' })).toBe(true)
  expect(mayRevoke({ state: 'none' })).not.toBe(true)
})
