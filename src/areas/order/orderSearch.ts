import { isCode } from '#src/areas/code/code.ts'
import { isTracking, trackingOf } from '#src/areas/shipping/courier.ts'
import { callableOf, mobileOf } from '#src/domain/phone.ts'
import { searchable } from '#src/domain/search.ts'
import type { Text } from '#src/domain/text.ts'

/** What a pasted text may be, as the search field says it. */
export const readingKinds = {
  order_no: ['订单号', 'Order no.'],
  refund_no: ['退款单号', 'Refund no.'],
  phone: ['手机号', 'Phone'],
  phone_last4: ['手机尾号', 'Last 4 of a phone'],
  code: ['券码', 'Code'],
  tracking_no: ['快递单号', 'Tracking no.'],
  group_no: ['拼团号', 'Group no.'],
  payment_no: ['支付单号', 'Payment no.'],
  coupon_no: ['优惠券', 'Coupon no.'],
  store_no: ['门店编号', 'Store no.'],
  product: ['商品', 'Product'],
  store: ['门店', 'Store'],
} as const satisfies Record<string, Text>
export type ReadingKind = keyof typeof readingKinds
/**
 * One way to read a text. `sure`: it can be nothing else; otherwise the next reading is tried when
 * this one finds nothing.
 */
export type Reading = { kind: ReadingKind; value: string; sure: boolean }
export type Part = { text: string; readings: Reading[] }

export const PARTS_MAX = 200
const WORDS_MAX = 64
/** Fillers are letters to Unicode and nothing to the eye. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
const reading = (kind: ReadingKind, value: string, sure = false): Reading => ({ kind, value, sure })

/**
 * How people name what they paste: `订单号：BU…`, `尾号 1234`. The kind is taken at its word where the
 * value has its form.
 */
const labels: readonly (readonly [RegExp, ReadingKind])[] = [
  [/^(?:退款(?:单|编)?号|售后(?:单|编)?号|refund\s*(?:no|number|id)?)[.:#\s]*/i, 'refund_no'],
  [
    /^(?:(?:手机|电话)?(?:号码?)?尾号|(?:手机)?后[四4]位|last\s*(?:4|four)(?:\s*digits)?)[.:#\s]*/i,
    'phone_last4',
  ],
  [/^(?:(?:收件人?|联系)?(?:手机|电话)(?:号码?)?|联系方式|phone|mobile|tel)[.:#\s]*/i, 'phone'],
  [/^(?:快递单?号?|物流单?号?|运单号?|tracking\s*(?:no|number)?|waybill)[.:#\s]*/i, 'tracking_no'],
  [
    /^(?:(?:支付|付款|交易)(?:单|流水|编)?号|(?:微信|支付宝)(?:支付)?(?:单|交易|订单)号|商户单号|payment\s*(?:no|number|id)?|transaction\s*(?:no|number|id)?)[.:#\s]*/i,
    'payment_no',
  ],
  [/^(?:优惠券?(?:编?号|码)?|券号|coupon\s*(?:no|number|id|code)?)[.:#\s]*/i, 'coupon_no'],
  [/^(?:门?店(?:铺)?编?号|store\s*(?:no|number|id)?)[.:#\s]*/i, 'store_no'],
  [/^(?:券码|核销码|兑换码|提货码|验证码|code)[.:#\s]*/i, 'code'],
  [/^(?:拼?团(?:单|编)?号|group\s*(?:no|number|id))[.:#\s]*/i, 'group_no'],
  [/^(?:订单(?:编?号)?|单号|order\s*(?:no|number|id)?)[.:#\s]*/i, 'order_no'],
]
/** What a label alone makes a number of: its form is that of other numbers too. */
const labelled: Readonly<Partial<Record<ReadingKind, RegExp>>> = {
  payment_no: /^(?=.*\d)[A-Z0-9]{6,40}(?:-\d)?$/,
  coupon_no: /^(?=.*\d)[A-Z0-9]{6,32}$/,
  store_no: /^(?=.*\d)[A-Z0-9]{4,20}$/,
}
/** A number of WeChat Pay: 28 digits; what was paid after the order's own payment ends in -2. */
const paymentNo = /^(?:42\d{26}|[A-Z]{2}\d{16,18}-\d)$/
const orderPrefix = /^(?:BU|VO|EL|RB|RO|GO|CA|VI|CO|RA|PO|EC|FI)\d{16,18}$/
/** Couriers whose numbers begin like nobody else's. */
const courierPrefix =
  /^(?:SF\d{12,13}|YT\d{12,15}|JT\d{12,13}|JD[A-Z0-9]{10,16}|DPK\d{10,14}|DN\d{12}|KY\d{11,13}|ZJS\d{12}|E[A-Z]\d{9}CN|1Z[A-Z0-9]{16})$/
const placeWord = /(?:店|馆|餐厅|酒楼|食堂|影城|超市|门店|广场|中心|会所|俱乐部|工作室|\))$/

/** Every way to read a number; none for words. */
const numbersOf = (text: string): Reading[] => {
  const dotted = trackingOf(text).replace(/[()+#:·]/g, '')
  // Two points part groups of digits, as of a phone; one makes a decimal, which is no number here.
  const compact = dotted.split('.').length > 2 ? dotted.replaceAll('.', '') : dotted
  const phone = mobileOf(compact)
  if (phone) return [reading('phone', phone, true)]
  const masked = /^(?:86)?1\d{2}[*X]{3,5}(\d{4})$/.exec(compact)?.[1]
  if (masked) return [reading('phone_last4', masked)]
  if (/^RF\d{15,18}$/.test(compact)) return [reading('refund_no', compact, true)]
  const whole = text.toUpperCase().replace(/\s/g, '')
  if (paymentNo.test(whole)) return [reading('payment_no', whole, true)]
  if (/^PT\d{11,18}$/.test(compact)) return [reading('group_no', compact, true)]
  if (orderPrefix.test(compact)) return [reading('order_no', compact, true)]
  if (courierPrefix.test(compact)) return [reading('tracking_no', compact, true)]
  if (/^C\d{6,10}$/.test(compact)) return [reading('coupon_no', compact)]
  if (/^S\d{6,10}$/.test(compact)) return [reading('store_no', compact)]
  if (/^\d{4}$/.test(compact)) return [reading('phone_last4', compact)]
  const line = callableOf(text)
  const readings: Reading[] = line ? [reading('phone', line)] : []
  if (!isTracking(compact) || compact.length < 10) return readings
  if (isCode(compact)) readings.push(reading('code', compact))
  if (/^[A-Z]{2}\d{16}$/.test(compact)) readings.push(reading('order_no', compact))
  // Words with a year in them are no number: one long run of digits makes it one.
  if (/\d{7}/.test(compact)) readings.push(reading('tracking_no', compact))
  return readings
}
/** Words as they are searched for; a number that can only be a number is no words. */
const wordsOf = (text: string): Reading[] => {
  const words = [...searchable(text.replace(invisible, ''))].slice(0, WORDS_MAX).join('').trim()
  if (
    !/[\p{L}\p{N}]/u.test(words) ||
    (/^[\d\s-]+$/.test(words) && words.replace(/\D/g, '').length > 9)
  )
    return []
  const kinds: ReadingKind[] = placeWord.test(words) ? ['store', 'product'] : ['product', 'store']
  return kinds.map(kind => reading(kind, words))
}

const beside = /[\p{Script=Han}\s:,]/u
/** A text without the words, spaces and signs at its ends; each letter is looked at once. */
const withoutWordsBeside = (text: string): string => {
  const letters = [...text]
  let from = 0
  let to = letters.length
  while (from < to && beside.test(letters[from]!)) from++
  while (to > from && beside.test(letters[to - 1]!)) to--
  return letters.slice(from, to).join('')
}

/** Every way to read one text, the likeliest first. */
export const readingsOf = (typed: string): Reading[] => {
  const text = typed.normalize('NFKC').replace(invisible, '').trim()
  const named = text.replace(/^(?:名称|name)[.:#\s]+/i, '')
  if (named !== text) return wordsOf(named)
  for (const [label, kind] of labels) {
    const rest = text.replace(label, '')
    if (rest === text || rest === '') continue
    const number = numbersOf(rest).find(one => one.kind === kind)
    if (number) return [{ ...number, sure: true }]
    const value = rest.toUpperCase().replace(/\s/g, '')
    if (labelled[kind]?.test(value)) return [reading(kind, value, true)]
  }
  // `张三 138…`, `顺丰SF…`: what is written before or behind a number that speaks for itself.
  const bare = numbersOf(withoutWordsBeside(text))
  const numbers = bare[0]?.sure ? bare : numbersOf(text)
  return numbers[0]?.sure ? numbers : [...numbers, ...wordsOf(text)]
}

/** Whole in itself: not the last digits of something, not words. */
const isWhole = (text: string): boolean => numbersOf(text).some(one => one.kind !== 'phone_last4')
const splitBy = (text: string, by: RegExp): string[] =>
  text
    .split(by)
    .map(one => one.trim())
    .filter(Boolean)
const isNumber = (text: string): boolean => isWhole(text) || readingsOf(text)[0]?.sure === true
const BARED_MAX = 80
/** What lists and sentences put round a number: `[A]`, `「A」`, `A。`, `- A`. */
const wrapping = /^[\s[({<「『【《〈"'“‘*•·>\p{Pd}]+|[\s\])}>」』】》〉"'”’。.,;!?、…]+$/gu
const bared = (text: string): string => {
  if (text.length > BARED_MAX) return text
  const [, no, gap, rest] = /^\(?(\d{1,3})[.):、](\s*)(.+)$/.exec(text) ?? []
  const numbered =
    no !== undefined &&
    (gap !== '' || /^[A-Z]/i.test(rest!) || numbersOf(rest!)[0]?.sure === true) &&
    isNumber(rest!.replace(wrapping, ''))
  const inner = (numbered ? rest! : text).replace(wrapping, '')
  return /^[\p{L}\p{N}+(]/u.test(inner) && isNumber(inner) ? inner : text
}
/**
 * The texts in what was pasted: lines are always several; commas, slashes and spaces are so only
 * between numbers, for names have them too. What can't be read between numbers is a text of its
 * own.
 */
const textsOf = (typed: string): string[] =>
  splitBy(typed.normalize('NFKC'), /[\r\n]+/).flatMap(line => {
    const whole = bared(line)
    if (whole !== line) return [whole]
    for (const by of [/[,;|、/\t]+/, /[,;|、/\s]+/]) {
      const some = splitBy(line, by).map(bared)
      const numbers = some.filter(isNumber)
      if (
        numbers.length > 0 &&
        some.length > 1 &&
        some.every(one => isNumber(one) || readingsOf(one).length === 0)
      )
        return some
    }
    return [line]
  })
/**
 * Reads what was typed or pasted into one field: each text once, with every way to read it.
 * `left_off` tells of more than are searched for at once, `unread` names what can't be read: where
 * that is all there is, nothing is found.
 */
export const readSearch = (
  typed: string,
): { parts: Part[]; left_off: number; unread: string[] } => {
  const parts = new Map<string, Part>()
  const unread = new Set<string>()
  for (const text of textsOf(typed)) {
    const readings = readingsOf(text)
    const [first] = readings
    if (!first) unread.add(text)
    else if (!parts.has(`${first.kind} ${first.value}`))
      parts.set(`${first.kind} ${first.value}`, { text, readings })
  }
  return {
    parts: [...parts.values()].slice(0, PARTS_MAX),
    left_off: Math.max(0, parts.size - PARTS_MAX),
    unread: [...unread],
  }
}
