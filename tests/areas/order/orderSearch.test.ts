import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkDigitOf, isCode } from '#src/areas/code/code.ts'
import { PARTS_MAX, readingKinds, readingsOf, readSearch } from '#src/areas/order/orderSearch.ts'

const codeFrom = (body: string) => body + String(checkDigitOf(body))
const code = codeFrom('38201947561')
const notCode = `${code.slice(0, 11)}${(Number(code[11]) + 1) % 10}`

/**
 * What was pasted → its readings, first to last; `!` marks the one that is sure. Without a value,
 * the text itself in lower case.
 */
const corpus: readonly (readonly [pasted: string, ...readings: string[]])[] = [
  // Order numbers of every kind.
  ...['BU', 'VO', 'EL', 'RB', 'GO', 'CA', 'VI', 'CO', 'RA', 'PO', 'EC', 'FI'].map(
    prefix => [`${prefix}1795000000000001`, `order_no!${prefix}1795000000000001`] as const,
  ),
  ['bu1795000000000001', 'order_no!BU1795000000000001'],
  [' EL1795000000000001 ', 'order_no!EL1795000000000001'],
  ['EL 1795 0000 0000 0001', 'order_no!EL1795000000000001'],
  ['EL-1795000000-000001', 'order_no!EL1795000000000001'],
  ['ＥＬ１７９５０００００００００００１', 'order_no!EL1795000000000001'],
  ['#EL1795000000000001', 'order_no!EL1795000000000001'],
  ['订单号：EL1795000000000001', 'order_no!EL1795000000000001'],
  ['订单编号 EL1795000000000001', 'order_no!EL1795000000000001'],
  ['订单:el1795000000000001', 'order_no!EL1795000000000001'],
  ['单号EL1795000000000001', 'order_no!EL1795000000000001'],
  ['Order No. EL1795000000000001', 'order_no!EL1795000000000001'],
  ['order number: EL1795000000000001', 'order_no!EL1795000000000001'],
  ['Order ID#EL1795000000000001', 'order_no!EL1795000000000001'],
  ['\u200bEL1795000000000001\u200b', 'order_no!EL1795000000000001'],
  ['EL1795000000000001\t', 'order_no!EL1795000000000001'],
  [
    'ZZ1795000000000001',
    'order_no?ZZ1795000000000001',
    'tracking_no?ZZ1795000000000001',
    'product?',
    'store?',
  ],
  // Refund numbers.
  ['RF1795000000000001', 'refund_no!RF1795000000000001'],
  ['rf1795000000000001', 'refund_no!RF1795000000000001'],
  ['退款单号：RF1795000000000001', 'refund_no!RF1795000000000001'],
  ['退款号 RF1795000000000001', 'refund_no!RF1795000000000001'],
  ['售后单号RF1795000000000001', 'refund_no!RF1795000000000001'],
  ['Refund no: RF1795000000000001', 'refund_no!RF1795000000000001'],
  ['RF 1795 0000 0000 0001', 'refund_no!RF1795000000000001'],
  ['ＲＦ1795000000000001', 'refund_no!RF1795000000000001'],
  // Numbers of groups.
  ['PT1795000000000001', 'group_no!PT1795000000000001'],
  ['pt 1795000000000001', 'group_no!PT1795000000000001'],
  ['PT179534541000113', 'group_no!PT179534541000113'],
  ['拼团号：PT1795000000000001', 'group_no!PT1795000000000001'],
  ['团号 PT179500000000000001', 'group_no!PT179500000000000001'],
  ['Group no. PT1795000000000001', 'group_no!PT1795000000000001'],
  // Numbers of payments: ours, of a second payment, and the channel's.
  ['EL1795000000000001-2', 'payment_no!EL1795000000000001-2'],
  ['4200001795000000000000000001', 'payment_no!4200001795000000000000000001'],
  ['4200 0017 9500 0000 0000 0000 0001', 'payment_no!4200001795000000000000000001'],
  ['支付单号：EL1795000000000001', 'payment_no!EL1795000000000001'],
  ['微信支付单号 1000039501202611250001', 'payment_no!1000039501202611250001'],
  // Numbers of coupons and of what members hold of them.
  ['C300001', 'coupon_no?C300001', 'product?', 'store?'],
  ['优惠券编号：c300001', 'coupon_no!C300001'],
  ['优惠券码 2S100012', 'coupon_no!2S100012'],
  // Numbers of stores.
  ['S200001', 'store_no?S200001', 'product?', 'store?'],
  ['门店编号：S200001', 'store_no!S200001'],
  // Phones.
  ...[
    '13800001111',
    '138 0000 1111',
    '138-0000-1111',
    '138－0000－1111',
    '１３８００００１１１１',
    '+8613800001111',
    '+86 13800001111',
    '+86 138-0000-1111',
    '(+86)13800001111',
    '（+86）138 0000 1111',
    '0086 13800001111',
    '8613800001111',
    '86-138-0000-1111',
    '手机：13800001111',
    '手机号 13800001111',
    '电话:13800001111',
    '联系电话：138 0000 1111',
    '收件人手机：13800001111',
    'Phone: 13800001111',
    'tel 13800001111',
    'mobile:+86 138 0000 1111',
    '13800001111\u202c',
    '\u202a13800001111',
    ' 13800001111 ',
    '138.0000.1111',
    '138_0000_1111',
    '138·0000·1111',
    '"13800001111"',
  ].map(pasted => [pasted, 'phone!13800001111'] as const),
  ['19912345678', 'phone!19912345678'],
  ['16612345678', 'phone!16612345678'],
  ['12345678901', 'tracking_no?12345678901'],
  ['10086123456', 'tracking_no?10086123456'],
  ['138****1111', 'phone_last4?1111', 'product?', 'store?'],
  ['138xxxx1111', 'phone_last4?1111', 'product?', 'store?'],
  ['138 **** 1111', 'phone_last4?1111', 'product?', 'store?'],
  // The last four digits.
  ['1111', 'phone_last4?1111', 'product?', 'store?'],
  ['0007', 'phone_last4?0007', 'product?', 'store?'],
  ['１１１１', 'phone_last4?1111', 'product?1111', 'store?1111'],
  ['尾号1111', 'phone_last4!1111'],
  ['尾号：1111', 'phone_last4!1111'],
  ['手机尾号 1111', 'phone_last4!1111'],
  ['手机号尾号1111', 'phone_last4!1111'],
  ['后四位1111', 'phone_last4!1111'],
  ['后4位 1111', 'phone_last4!1111'],
  ['last 4: 1111', 'phone_last4!1111'],
  ['last four digits 1111', 'phone_last4!1111'],
  ['手机后四位1111', 'phone_last4!1111'],
  // Codes: twelve digits that check.
  [code, `code?${code}`, `tracking_no?${code}`],
  [code.replace(/(\d{4})(?=\d)/g, '$1 '), `code?${code}`, `tracking_no?${code}`],
  [code.replace(/(\d{4})(?=\d)/g, '$1-'), `code?${code}`, `tracking_no?${code}`],
  [`券码：${code}`, `code!${code}`],
  [`核销码 ${code}`, `code!${code}`],
  [`Code: ${code}`, `code!${code}`],
  [`提货码${code}`, `code!${code}`],
  [`兑换码:${code}`, `code!${code}`],
  [
    codeFrom('10000000000'),
    `code?${codeFrom('10000000000')}`,
    `tracking_no?${codeFrom('10000000000')}`,
  ],
  [notCode, `tracking_no?${notCode}`],
  [`0${code.slice(1)}`, `tracking_no?0${code.slice(1)}`],
  // Tracking numbers.
  ...[
    'SF1438270956123',
    'YT8830274615509',
    'JT5210937746128',
    'JDVC19830274615',
    'DPK202611203847',
    'DN638201947756',
    'KY4000192837465',
    'EB127384659CN',
    'ZJS001938274655',
    '1Z9X82E30372910465',
  ].map(no => [no, `tracking_no!${no}`] as const),
  ['sf 1438-2709-56123', 'tracking_no!SF1438270956123'],
  ['顺丰SF1438270956123', 'tracking_no!SF1438270956123'],
  ['张三 13800001111', 'phone!13800001111'],
  ['13800001111张三', 'phone!13800001111'],
  ['收件人：张三，13800001111', 'phone!13800001111'],
  ['快递单号：SF1438270956123', 'tracking_no!SF1438270956123'],
  ['运单号 YT8830274615509', 'tracking_no!YT8830274615509'],
  ['物流单号:78651203498817', 'tracking_no!78651203498817'],
  ['Tracking number 78651203498817', 'tracking_no!78651203498817'],
  ['快递78651203498817', 'tracking_no!78651203498817'],
  ['78651203498817', 'tracking_no?78651203498817'],
  ['773104826675913', 'tracking_no?773104826675913'],
  ['4312098765543', 'tracking_no?4312098765543'],
  ['9862037415528', 'tracking_no?9862037415528'],
  ['7865 1203 4988 17', 'tracking_no?78651203498817'],
  ['BEST10293847561', 'tracking_no?BEST10293847561', 'product?', 'store?'],
  // Words.
  ['咖啡', 'product?', 'store?'],
  ['双人火锅套餐', 'product?', 'store?'],
  ['海底捞（人民广场店）', 'store?海底捞(人民广场店)', 'product?海底捞(人民广场店)'],
  ['星巴克南京西路店', 'store?', 'product?'],
  ['万达影城', 'store?', 'product?'],
  ['社区食堂', 'store?', 'product?'],
  ['生活超市', 'store?', 'product?'],
  ['iPhone 15 手机壳', 'product?iphone 15 手机壳', 'store?iphone 15 手机壳'],
  ['Latte', 'product?latte', 'store?latte'],
  ['５０元代金券', 'product?50元代金券', 'store?50元代金券'],
  ['100', 'product?', 'store?'],
  ['2026', 'phone_last4?2026', 'product?', 'store?'],
  ['20261120', 'product?', 'store?'],
  ['7分糖', 'product?', 'store?'],
  ['A', 'product?a', 'store?a'],
  ['周末 双人餐', 'product?', 'store?'],
  ['  周末　双人餐 ', 'product?周末 双人餐', 'store?周末 双人餐'],
  ['订单', 'product?', 'store?'],
  ['手机', 'product?', 'store?'],
  ['手机壳', 'product?', 'store?'],
  ['快递盒', 'product?', 'store?'],
  ['电话手表', 'product?', 'store?'],
  ['code', 'product?', 'store?'],
  ['尾号', 'product?', 'store?'],
  ['咖啡，双杯', 'product?咖啡,双杯', 'store?咖啡,双杯'],
  ['买一送一!', 'product?', 'store?'],
  // Nothing.
  [''],
  ['   '],
  ['　'],
  ['\u200b'],
  ['---'],
  ['，，'],
  ['***'],
  ['?'],
]
const written = (pasted: string, one: string) =>
  one.endsWith('?') ? `${one}${pasted.toLowerCase()}` : one

describe('what is pasted into the search field', () => {
  it('is told apart in more than 120 cases', () => expect(corpus.length).toBeGreaterThan(120))
  it.each(corpus)('%j', (pasted, ...wanted) => {
    expect(readingsOf(pasted).map(one => `${one.kind}${one.sure ? '!' : '?'}${one.value}`)).toEqual(
      wanted.map(one => written(pasted, one)),
    )
  })
  it.each([
    ['「EL1795000000000001」', 'order_no'],
    ['【SF1438270956123】', 'tracking_no'],
    ['【C300001】', 'coupon_no'],
    ['「S200001」', 'store_no'],
    [`「${code}」`, 'code'],
    ['【EL1795000000000001-2】', 'payment_no'],
  ])('%s is read without what stands round it', (typed, kind) => {
    expect(readSearch(typed).parts[0]!.readings[0]).toMatchObject({
      kind,
      value: typed.slice(1, -1),
    })
  })
  it('of several is a list, each once', () => {
    const valuesOf = (typed: string) => readSearch(typed).parts.map(part => part.readings[0]!.value)
    expect(valuesOf('EL1795000000000001\nEL1795000000000002\r\n\n el1795000000000001')).toEqual([
      'EL1795000000000001',
      'EL1795000000000002',
    ])
    for (const sign of [',', '，', ';', '；', '、', ' ', '  ', '\t', ' | ', ', '])
      expect(valuesOf(`EL1795000000000001${sign}13800001111${sign}${code}`), sign).toEqual([
        'EL1795000000000001',
        '13800001111',
        code,
      ])
    expect(valuesOf('138 0000 1111, 139 0000 2222')).toEqual(['13800001111', '13900002222'])
    expect(valuesOf('138 0000 1111\n尾号2222')).toEqual(['13800001111', '2222'])
    expect(valuesOf('1234 5678 9012')).toHaveLength(1)
  })
  it.each([
    ['- {}'],
    ['[{}]'],
    ['{}。'],
    ['1. {}'],
    ['12、{}'],
    ['（3）{}'],
    ['「{}」'],
    ['* {},'],
    ['· {}'],
    ['订单号：{}。'],
  ])('is read as people write lists: %s', how => {
    const nos = ['EL1795000000000001', 'SF1438270956123', '13800001111']
    for (const no of how.includes('订单号') ? nos.slice(0, 1) : nos)
      expect(readSearch(how.replace('{}', no)), no).toMatchObject({
        parts: [{ readings: [{ value: no, sure: true }] }],
        unread: [],
      })
  })
  it('is told apart at slashes too', () => {
    expect(
      readSearch('EL1795000000000001 / EL1795000000000002/13800001111').parts.map(
        ({ readings }) => readings[0]!.value,
      ),
    ).toEqual(['EL1795000000000001', 'EL1795000000000002', '13800001111'])
    expect(readSearch('买一送一/周末可用').parts).toHaveLength(1)
    expect(readSearch('3. 双人餐').parts[0]!.text).toBe('3. 双人餐')
  })
  it.each(['🔥', '———', '***', '\u200b\u200c', '，。', '\u3164'])(
    'that can’t be read is named: %j',
    typed =>
      expect(readSearch(typed)).toEqual({
        parts: [],
        left_off: 0,
        unread: [typed.normalize('NFKC').trim()],
      }),
  )
  it('of which some can’t be read names these, and reads the others', () => {
    const { parts, unread } = readSearch('EL1795000000000001\n🔥\n***，13800001111')
    expect([parts.map(({ readings }) => readings[0]!.value), unread]).toEqual([
      ['EL1795000000000001', '13800001111'],
      ['🔥', '***'],
    ])
  })
  it('with commas or spaces in a name is one name', () => {
    for (const name of ['咖啡，双杯', '周末 双人餐', 'Latte, large', '咖啡、蛋糕'])
      expect(readSearch(name).parts, name).toHaveLength(1)
  })
  it('is at most 200 at once, and says how many were left off', () => {
    const { parts, left_off } = readSearch(
      Array.from({ length: 230 }, (_, n) => `EL${1_795_000_000_000_000 + n}`).join('\n'),
    )
    expect([parts.length, left_off]).toEqual([PARTS_MAX, 30])
  })
  it('has words for every kind', () => {
    for (const words of Object.values(readingKinds)) expect(words.every(Boolean)).toBe(true)
  })
})

describe('whatever is pasted', () => {
  const known = fc.constantFrom(
    'EL1795000000000001',
    'RF1795000000000001',
    '13800001111',
    code,
    'SF1438270956123',
    '78651203498817',
    '1111',
  )
  const mess = fc.array(fc.constantFrom('full', ' ', '\u200b', '-', 'lower', 'as it is', '　'), {
    minLength: 24,
    maxLength: 24,
  })
  it('a number means the same in full-width signs, in small letters, with spaces and dashes', () =>
    fc.assert(
      fc.property(known, mess, (no, how) => {
        const noisyAs = (char: string, way: string) => {
          if (way === 'full') return String.fromCharCode(char.charCodeAt(0) + 0xfee0)
          if (way === 'lower') return char.toLowerCase()
          return way === 'as it is' ? char : char + way
        }
        const noisy = [...no].map((char, at) => noisyAs(char, how[at]!)).join('')
        const numbers = (text: string) =>
          readingsOf(text).filter(one => one.kind !== 'product' && one.kind !== 'store')
        expect(numbers(noisy)).toEqual(numbers(no))
        expect(readSearch(` ${noisy}\n`).parts.map(part => part.readings[0])).toEqual([
          numbers(no)[0],
        ])
      }),
    ))
  it('nothing is thrown, and a value read again is read as the same', () =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 60 }),
          fc.string({
            unit: fc.constantFrom(...'订单号手机尾138XRFEL-, ，\n（）*#:'),
            maxLength: 30,
          }),
        ),
        text => {
          for (const { readings } of readSearch(text).parts) {
            const [first] = readings
            expect(readings.filter(one => one.sure).length).toBeLessThanOrEqual(1)
            if (first!.kind !== 'product' && first!.kind !== 'store')
              expect(readingsOf(first!.value)[0]).toMatchObject({
                kind: first!.kind,
                value: first!.value,
              })
          }
        },
      ),
      { numRuns: 1000 },
    ))
  it('of 100,000 signs is read at once', () => {
    const begun = performance.now()
    for (const text of [
      '1'.repeat(100_000),
      '订单号'.repeat(33_000),
      'EL1795000000000001 '.repeat(5000),
      ' '.repeat(100_000),
      '-1'.repeat(50_000),
    ])
      readSearch(text)
    expect(performance.now() - begun).toBeLessThan(6000)
  })
})
it('a code checks with its last digit: any one digit mistyped does not', () =>
  fc.assert(
    fc.property(
      fc.integer({ min: 10_000_000_000, max: 99_999_999_999 }).map(String).map(codeFrom),
      fc.nat(11),
      fc.integer({ min: 1, max: 9 }),
      (good, at, by) => {
        expect(isCode(good)).toBe(true)
        const wrong = good.slice(0, at) + String((Number(good[at]) + by) % 10) + good.slice(at + 1)
        expect(isCode(wrong)).toBe(false)
      },
    ),
  ))

// Read with the square of its length, each of them takes minutes.
it.each(['订', ' ', ': ', ','])('a text of endless %j is read letter by letter', sign => {
  expect(readSearch(`x${sign.repeat(100_000)}x`).left_off).toBe(0)
})
