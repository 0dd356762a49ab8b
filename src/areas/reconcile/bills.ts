/**
 * Bills as channels write them. WeChat Pay: UTF-8 with a mark, one record a line, a backtick before
 * each cell, times of Beijing, and below the records a summary that a cut file lacks. A bank's: the
 * seven columns of `bankHead`.
 */
import type { Text } from '#src/domain/text.ts'
import { dateOf, SHANGHAI } from '#src/domain/time.ts'
import { growsBy, type Bill, type BillRow, type ItemKind } from './reconcile.ts'

const BILL_ROWS_MOST = 20_000
const FAULTS_TOLD = 10
const tradeHead =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注'
const tradeFoot =
  '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额'
export const fundHead =
  '记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额(元),账户结余(元),资金变更提交申请人,备注,业务凭证号'
export const fundFoot = '资金流水总笔数,收入笔数,收入金额,支出笔数,支出金额'
export const bankHead = '交易时间,流水号,收入金额,支出金额,余额,对方户名,用途'
export const bankFoot = '总笔数,收入金额,支出金额'

/** Faults of a bill, each at its line. */
class Faults {
  private readonly told: Text[] = []
  private n = 0
  add(line: number, [zh, en]: Text): undefined {
    this.n++
    if (this.told.length < FAULTS_TOLD)
      this.told.push([`第 ${line} 行：${zh}`, `Line ${line}: ${en}`])
    return undefined
  }
  whole(): Text | undefined {
    if (this.n === 0) return undefined
    const more: Text[] =
      this.n > this.told.length ? [[`共 ${this.n} 处`, `${this.n} faults in all`]] : []
    const all = [...this.told, ...more]
    return [all.map(one => one[0]).join('；'), all.map(one => one[1]).join('; ')]
  }
}
/**
 * An amount of a bill in cents, or what is wrong with it: an exponent, a sign before nought, a
 * fraction of a cent. Zeros behind the cents are how WeChat writes fees (`0.48000`).
 */
export const billCents = (text: string): number | Text => {
  if (!/^-?\d{1,12}(\.\d{1,8})?$/.test(text))
    return [`金额“${text}”不是数字`, `${text} is no amount`]
  const [whole, fraction = ''] = text.replace('-', '').split('.')
  if (/[1-9]/.test(fraction.slice(2)))
    return [`金额“${text}”不足一分`, `${text} has a fraction of a cent`]
  const cents = Number(whole) * 100 + Number(fraction.slice(0, 2).padEnd(2, '0'))
  if (!text.startsWith('-')) return cents
  return cents === 0 ? [`金额“${text}”为负零`, `${text} is less than nothing`] : -cents
}
/** A Beijing time of a bill, `2026-11-26 12:00:00`, in unix seconds; undefined where it is none. */
const billTime = (text: string): number | undefined => {
  if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)) return undefined
  const ms = Date.parse(`${text.replace(' ', 'T')}Z`)
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 19).replace('T', ' ') !== text)
    return undefined
  return ms / 1000 - SHANGHAI
}

type Cells = Readonly<Record<string, string>>
type Read = { line: number; cells: Cells }
type Asking = { faults: Faults; day: string }
/** Reads the cells of one record; undefined where one is wrong, which is told. */
const reading = ({ line, cells }: Read, { faults, day }: Asking) => {
  const cents = (name: string): number | undefined => {
    const read = billCents(cells[name] ?? '')
    return typeof read === 'number' ? read : faults.add(line, read)
  }
  const at = (name: string): number | undefined => {
    const read = billTime(cells[name] ?? '')
    if (read === undefined) return faults.add(line, ['时间不正确', 'The time is none'])
    return dateOf(read) === day
      ? read
      : faults.add(line, [
          `是 ${dateOf(read)} 的记录，账单应为 ${day}`,
          `It is of ${dateOf(read)}, the bill of ${day}`,
        ])
  }
  const word = (name: string) => cells[name] ?? ''
  return { cents, at, word, fault: (text: Text) => faults.add(line, text) }
}
type Reader = ReturnType<typeof reading>
const stateOf = (word: string): BillRow['status'] => {
  if (word === 'SUCCESS') return 'success'
  return word === 'PROCESSING' || word === 'NOTPAY' || word === 'USERPAYING' ? 'pending' : 'failed'
}
const tradeRow = (of: Reader, line: number): BillRow | undefined => {
  if (of.word('货币种类') !== 'CNY')
    return of.fault([`货币 ${of.word('货币种类')} 不是 CNY`, 'Its currency is not CNY'])
  const isRefund = of.word('交易状态') === 'REFUND'
  const at = of.at('交易时间')
  const cents = of.cents(isRefund ? '退款金额' : '应结订单金额')
  const fee_cents = of.cents('手续费')
  if (at === undefined || cents === undefined || fee_cents === undefined) return undefined
  if (cents < 0) return of.fault(['金额不能为负', 'An amount is not below nought'])
  return {
    line,
    kind: isRefund ? 'refund' : 'pay',
    at,
    our_no: of.word(isRefund ? '商户退款单号' : '商户订单号'),
    channel_no: of.word(isRefund ? '微信退款单号' : '微信订单号'),
    cents,
    fee_cents,
    status: stateOf(of.word(isRefund ? '退款状态' : '交易状态')),
  }
}
/** The kinds of a fund bill that we have, each with the way its money goes. */
const fundKinds: Readonly<Record<string, readonly [kind: ItemKind, way: '收入' | '支出']>> = {
  交易: ['pay', '收入'],
  退款: ['refund', '支出'],
  提现: ['sweep', '支出'],
  扣除交易手续费: ['fee', '支出'],
  退回交易手续费: ['fee_back', '收入'],
  企业付款: ['transfer', '支出'],
  商家转账: ['transfer', '支出'],
  分账: ['share', '支出'],
  分账回退: ['share_back', '收入'],
}
/** What one document has several rows of: a row is known by its own number in the account. */
const several: readonly ItemKind[] = ['fee_back', 'share', 'share_back', 'other_in', 'other_out']
const others = { 收入: 'other_in', 支出: 'other_out' } as const
const WORD_MOST = 32
const fundRow = (of: Reader, line: number): BillRow | undefined => {
  const [word, way] = [of.word('业务类型'), of.word('收支类型')]
  if (way !== '收入' && way !== '支出')
    return of.fault([`收支类型“${way}”应为收入或支出`, `${way} is neither 收入 nor 支出`])
  const at = of.at('记账时间')
  const cents = of.cents('收支金额(元)')
  if (at === undefined || cents === undefined) return undefined
  if (cents < 0) return of.fault(['金额不能为负', 'An amount is not below nought'])
  const [known, usual] = fundKinds[word] ?? []
  // What nobody here knows is a case for a person, and no reason to refuse the day.
  const kind = known && usual === way ? known : others[way]
  return {
    line,
    kind,
    at,
    our_no: of.word('业务凭证号'),
    channel_no: of.word(several.includes(kind) ? '资金流水单号' : '微信支付业务单号'),
    cents,
    fee_cents: null,
    status: 'success',
    ...(kind.startsWith('other_') && { word: word.slice(0, WORD_MOST) }),
  }
}
const bankRow = (of: Reader, line: number): BillRow | undefined => {
  const at = of.at('交易时间')
  const [into, out] = [of.cents('收入金额'), of.cents('支出金额')]
  if (at === undefined || into === undefined || out === undefined) return undefined
  if (into < 0 || out < 0 || (into === 0) === (out === 0))
    return of.fault(['收入与支出须恰有一项大于零', 'Just one of in and out is above nought'])
  return {
    line,
    kind: into > 0 ? 'income' : 'transfer',
    at,
    our_no: of.word('用途'),
    channel_no: of.word('流水号'),
    cents: into + out,
    fee_cents: 0,
    status: 'success',
  }
}

type Form = {
  channel: Bill['channel']
  form: Bill['form']
  head: string
  foot: string
  row: (of: Reader, line: number) => BillRow | undefined
  /** What the summary says, from the rows: the number of rows first. */
  sums: (rows: readonly BillRow[]) => readonly (number | undefined)[]
}
/** What rows come to; of some kinds alone, where these are named. */
const total = (rows: readonly BillRow[], ...kinds: ItemKind[]): number =>
  rows.reduce(
    (sum, row) => sum + (kinds.length === 0 || kinds.includes(row.kind) ? row.cents : 0),
    0,
  )
const forms: readonly Form[] = [
  {
    channel: 'wechat',
    form: 'trade',
    head: tradeHead,
    foot: tradeFoot,
    row: tradeRow,
    sums: rows => [
      rows.length,
      total(rows, 'pay'),
      total(rows, 'refund'),
      undefined,
      rows.reduce((sum, row) => sum + (row.fee_cents ?? 0), 0),
    ],
  },
  {
    channel: 'wechat',
    form: 'fund',
    head: fundHead,
    foot: fundFoot,
    row: fundRow,
    sums: rows => [
      rows.length,
      undefined,
      total(rows.filter(row => growsBy(row.kind))),
      undefined,
      total(rows.filter(row => !growsBy(row.kind))),
    ],
  },
  {
    channel: 'bank',
    form: 'bank',
    head: bankHead,
    foot: bankFoot,
    row: bankRow,
    sums: rows => [rows.length, total(rows, 'income'), total(rows, 'transfer')],
  },
]

/** The cells of a line: a backtick stands before each, so that a comma in a name parts nothing. */
const cellsOf = (line: string): string[] =>
  line.startsWith('`') ? line.slice(1).split(',`') : line.split(',')
const cut: Text = [
  '账单不完整：缺少末尾的汇总行，请重新下载',
  'The bill is cut off: its summary is missing. Download it again',
]
/** What the summary says beside what the rows come to. */
const footFault = (form: Form, foot: readonly string[], rows: readonly BillRow[]) => {
  const [n, ...sums] = form.sums(rows)
  if (Number(foot[0]) !== n)
    return [
      `账单不完整：汇总 ${foot[0]} 笔，实际 ${n} 笔，请重新下载`,
      `The bill is cut off: ${foot[0]} by its summary, ${n} in the file. Download it again`,
    ] as const
  const names = form.foot.split(',')
  for (const [at, sum] of sums.entries()) {
    if (sum === undefined) continue
    const said = billCents(foot[at + 1] ?? '')
    if (said !== sum)
      return [
        `${names[at + 1]}与明细合计不一致，请重新下载`,
        `The summary (${names[at + 1]}) is not the sum of the rows: download it again`,
      ] as const
  }
  return undefined
}
/** Reads the records between head and summary; faults are told at their lines. */
const recordsOf = (form: Form, lines: readonly string[], of: Asking): BillRow[] => {
  const names = form.head.split(',')
  const seen = new Map<string, number>()
  return lines.flatMap((text, at): BillRow[] => {
    const line = at + 2
    const cells = cellsOf(text).map(cell => cell.trim())
    if (cells.length !== names.length) {
      of.faults.add(line, [
        `应有 ${names.length} 列，实际 ${cells.length} 列`,
        `${names.length} columns are expected, ${cells.length} are there`,
      ])
      return []
    }
    const named = Object.fromEntries(names.map((name, n) => [name, cells[n]!]))
    const row = form.row(reading({ line, cells: named }, of), line)
    if (!row) return []
    if (row.channel_no === '' || row.channel_no.length > 64 || row.our_no.length > 64) {
      of.faults.add(line, ['渠道单号为空或过长', 'Its number is empty or too long'])
      return []
    }
    const key = `${row.kind} ${row.channel_no}`
    const before = seen.get(key)
    if (before !== undefined) {
      of.faults.add(line, [`与第 ${before} 行重复`, `It stands in line ${before} already`])
      return []
    }
    seen.set(key, line)
    return [row]
  })
}
/**
 * Reads a bill of a day (`YYYY-MM-DD`), or says what is wrong with it, line by line: nothing of a
 * bill with one wrong line is taken.
 */
export const readBill = (text: string, day: string): Bill | { fault: Text } => {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  while (lines.at(-1)?.trim() === '') lines.pop()
  const form = forms.find(one => one.head === lines[0]?.trim())
  if (!form)
    return {
      fault: [
        '不是微信交易账单、资金账单或银行流水：第 1 行的表头不符',
        'Neither a trade nor a fund bill of WeChat Pay, nor a bank’s: line 1 is another head',
      ],
    }
  if (lines.at(-2)?.trim() !== form.foot) return { fault: cut }
  const records = lines.slice(1, -2)
  if (records.length > BILL_ROWS_MOST)
    return {
      fault: [
        `账单超过 ${BILL_ROWS_MOST} 行，请拆成多个文件`,
        `More than ${BILL_ROWS_MOST} lines: split the bill`,
      ],
    }
  const faults = new Faults()
  const rows = recordsOf(form, records, { faults, day })
  const fault = faults.whole() ?? footFault(form, cellsOf(lines.at(-1)!), rows)
  return fault ? { fault } : { channel: form.channel, form: form.form, day, rows }
}
/** An amount as bills write it. */
export const yuan2 = (cents: number) =>
  `${cents < 0 ? '-' : ''}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`
/** A Beijing time as bills write it. */
export const localTime = (at: number) =>
  new Date((at + SHANGHAI) * 1000).toISOString().slice(0, 19).replace('T', ' ')
/** A trade bill as WeChat Pay writes it: what the embedded channel says of a day. */
export const writeTradeBill = (rows: readonly Omit<BillRow, 'line'>[]): string => {
  const line = (row: Omit<BillRow, 'line'>): string => {
    const isRefund = row.kind === 'refund'
    const sum = yuan2(row.cents)
    const cells: Record<string, string> = {
      交易时间: localTime(row.at),
      公众账号ID: 'wx0000000000000000',
      商户号: '1900000000',
      特约商户号: '0',
      微信订单号: isRefund ? '0' : row.channel_no,
      商户订单号: isRefund ? '0' : row.our_no,
      交易类型: 'JSAPI',
      交易状态: isRefund
        ? 'REFUND'
        : { success: 'SUCCESS', pending: 'NOTPAY', failed: 'REVOKED' }[row.status],
      付款银行: 'OTHERS',
      货币种类: 'CNY',
      应结订单金额: isRefund ? '0.00' : sum,
      代金券金额: '0.00',
      微信退款单号: isRefund ? row.channel_no : '0',
      商户退款单号: isRefund ? row.our_no : '0',
      退款金额: isRefund ? sum : '0.00',
      充值券退款金额: '0.00',
      退款状态: isRefund
        ? { success: 'SUCCESS', pending: 'PROCESSING', failed: 'FAIL' }[row.status]
        : '',
      手续费: `${yuan2(row.fee_cents ?? 0)}000`,
      费率: '0.60%',
      订单金额: isRefund ? '0.00' : sum,
      申请退款金额: isRefund ? sum : '0.00',
    }
    return tradeHead
      .split(',')
      .map(name => `\`${cells[name] ?? ''}`)
      .join(',')
  }
  const all = rows as readonly BillRow[]
  const sums = [
    String(rows.length),
    yuan2(total(all, 'pay')),
    yuan2(total(all, 'refund')),
    '0.00',
    `${yuan2(all.reduce((sum, row) => sum + (row.fee_cents ?? 0), 0))}000`,
    yuan2(total(all, 'pay')),
    yuan2(total(all, 'refund')),
  ]
  return `\uFEFF${[tradeHead, ...rows.map(line), tradeFoot, sums.map(sum => `\`${sum}`).join(',')].join('\r\n')}\r\n`
}
