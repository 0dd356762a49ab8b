import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { creditCheckSign, creditCodeFault } from '#src/areas/merchant/identity.ts'
import {
  isSameOnLicence,
  licenceValue,
  readLicence,
  type LicenceValues,
} from '#src/areas/merchant/licence.ts'

const CODE = '91350100M000100Y43'
const day = (date: string, time = '00:00') => Date.parse(`${date}T${time}:00+08:00`) / 1000

/** What is read of a picture, line by line, and what a person sees in it. */
const seen: readonly [name: string, text: string, LicenceValues][] = [
  [
    'a new one in two columns, a space between letters',
    `营 业 执 照
    统 一 社 会 信 用 代 码
    91350100M000100Y43
    名 称 福 州 小 满 餐 饮 管 理 有 限 公 司 注 册 资 本 壹 佰 万 元 整
    类 型 有 限 责 任 公 司 (自 然 人 独 资 ) 成 立 日 期 2019 年 05 月 06 日
    法 定 代 表 人 王 大 明 住 所 福 建 省 福 州 市 鼓 楼 区 五 四 路 1 号 2 层
    经 营 范 围 餐 饮 服 务 ; 食 品 销 售
    登 记 机 关`,
    {
      license_no: CODE,
      name: '福州小满餐饮管理有限公司',
      legal_name: '王大明',
      kind: '有限责任公司（自然人独资）',
      established_at: day('2019-05-06'),
      address: '福建省福州市鼓楼区五四路1号2层',
    },
  ],
  [
    'one of a sole trader, with full-width signs and stains',
    `| 统一社会信用代码：９１３５０１００Ｍ０００１００Ｙ４３ (1/1)
    *名称：小满面馆。
    类型：个体工商户
    经营者：欧阳·小红 ~
    经营场所：杭州市西湖区文三路9号
    注册日期：2O19年O5月O6日`,
    {
      license_no: CODE,
      name: '小满面馆',
      kind: '个体工商户',
      legal_name: '欧阳·小红',
      address: '杭州市西湖区文三路9号',
      established_at: day('2019-05-06'),
    },
  ],
  [
    'a name and an address that go on in the next line, a term that ends, a word misread',
    `名称 上海一个名字很长的餐饮管理咨询
    有限公司
    法定代衰人 王大明
    住所 上海市浦东新区世纪大道一千二百三十四
    弄五号楼六层
    营业期限 2019年05月06日 至 2039年05月05日`,
    {
      name: '上海一个名字很长的餐饮管理咨询有限公司',
      legal_name: '王大明',
      address: '上海市浦东新区世纪大道一千二百三十四弄五号楼六层',
      license_expire_at: day('2039-05-05', '23:59'),
    },
  ],
  [
    'one without end',
    `营业期限 2019年05月06日至长期
    合伙期限 2020年01月01日至2030年01月01日`,
    { license_expire_at: null },
  ],
  [
    'a term whose end is not said, and a day that is none',
    '营业期限 2019年05月06日\n成立日期 2019年13月40日',
    {},
  ],
  ['a menu', '红烧肉 38 元\n米饭 2 元\n电话 0571-88881234', {}],
  ['nothing', '', {}],
]
describe('what is read from a licence', () => {
  it.each(seen)('%s', (_, text, values) => {
    expect(readLicence(text.split('\n')).values).toEqual(values)
  })
  it('is told only of fields that it holds', () => {
    expect(readLicence(['名称', '法定代表人 12']).values).toEqual({})
  })
  it('is found soon, however a picture is made to be read', () => {
    const worst = [
      '9'.repeat(4000),
      '名称'.repeat(2000),
      `${'1'.repeat(17)}A`.repeat(200),
      '(年'.repeat(3000),
    ]
    const lines = Array.from({ length: 5000 }, (_, at) => worst[at % worst.length]!)
    expect(readLicence(lines).values).not.toHaveProperty('established_at')
  })
})

const SIGNS = '0123456789ABCDEFGHJKLMNPQRTUWXY'
const worth = (sign: string) => (sign >= 'A' ? sign.charCodeAt(0) - 55 : Number(sign))
const organisation = (body: string) => {
  const sum = [3, 7, 9, 10, 5, 8, 4, 2].reduce((all, by, at) => all + by * worth(body[at]!), 0)
  const left = 11 - (sum % 11)
  return left === 10 ? 'X' : String(left % 11)
}
/** A code as it is given out: with the check sign of its organisation, and its own. */
const codes = fc
  .tuple(
    fc.stringMatching(/^\d{6}$/),
    fc.array(fc.constantFrom(...SIGNS), { minLength: 8, maxLength: 8 }),
  )
  .map(([region, body]) => {
    const first = `91${region}${body.join('')}${organisation(body.join(''))}`
    return first + creditCheckSign(first)
  })
const looksLike: Readonly<Record<string, string>> = {
  '0': 'O',
  '1': 'I',
  '5': 'S',
  '2': 'Z',
  '8': 'B',
  B: '8',
  D: '0',
  G: '6',
  A: '4',
}
describe('a credit code', () => {
  it('is read right, wherever it stands in a line', () =>
    fc.assert(
      fc.property(
        codes,
        fc.constantFrom('', '统一社会信用代码', '代码:', '(1/1)'),
        (code, before) => {
          expect(readLicence([`${before} ${code.slice(0, 6)} ${code.slice(6)}`])).toMatchObject({
            values: { license_no: code },
            checked: ['license_no'],
          })
        },
      ),
    ))
  it('with one sign read as another that looks alike is mended, or is not called checked', () => {
    let mended = 0
    let all = 0
    fc.assert(
      fc.property(codes, fc.integer({ min: 2, max: 17 }), (code, at) => {
        const other = looksLike[code[at]!]
        fc.pre(other !== undefined)
        const { values, checked } = readLicence([code.slice(0, at) + other + code.slice(at + 1)])
        all++
        if (values.license_no === code) mended++
        if (checked.includes('license_no')) expect(values.license_no).toBe(code)
      }),
      { numRuns: 300 },
    )
    expect(mended / all).toBeGreaterThan(0.8)
  })
  it('that fits only by a chance repair is to be checked by a person', () => {
    // Its organisation does not fit: of thirty repairs of such a code one would fit.
    const body = '33333B33'
    const first = `91310000${body}${organisation(body) === '9' ? '3' : '9'}`
    const code = first + creditCheckSign(first)
    const misread = code.replace('B', '8')
    expect(creditCodeFault(code)).toBeUndefined()
    expect(readLicence([misread])).toEqual({ values: { license_no: code }, checked: [] })
  })
  it('of another length is none', () => {
    expect(readLicence(['330106000123456', '9135010']).values).toEqual({})
  })
})

it('what is read and what is typed are the same but for spaces, brackets and the hour', () => {
  expect(isSameOnLicence('小满（杭州）有限公司', '小满(杭州) 有限公司')).toBe(true)
  expect(isSameOnLicence('小满有限公司', '小满公司')).toBe(false)
  expect(isSameOnLicence(day('2039-05-05', '23:59'), day('2039-05-05'))).toBe(true)
  expect(isSameOnLicence(null, day('2039-05-05'))).toBe(false)
  expect(isSameOnLicence(null, undefined)).toBe(true)
  expect([licenceValue(null)[0], licenceValue(day('2039-05-05'))[1]]).toEqual([
    '长期',
    '2039-05-05',
  ])
})
