import type { SheetColumn } from '#src/areas/sheet/table.ts'
import { mobileOf } from '#src/domain/phone.ts'
import { say, type Lang, type Text } from '#src/domain/text.ts'
import { parseFile } from '#src/server/files/parsing.ts'
import { ISSUE_MOST } from './channel.ts'

/** Columns of a file of receivers, known by their titles wherever they stand. */
const columns = [
  {
    key: 'name',
    title: ['姓名', 'Name'],
    names: ['收卡人', '员工姓名', '员工', 'receiver'],
    needed: true,
    note: ['最多 20 个字', 'At most 20 letters'],
    example: '张三',
  },
  {
    key: 'phone',
    title: ['手机号', 'Mobile'],
    names: ['手机', '电话', '联系电话', 'phone'],
    needed: true,
    note: ['11 位手机号', 'A mobile number'],
    example: '13800000000',
  },
  {
    key: 'n',
    title: ['数量', 'Cards'],
    names: ['张数', '份数', 'count', 'quantity'],
    note: ['每人几张，留空为 1', 'How many each; empty is one'],
    example: '1',
  },
] as const satisfies readonly SheetColumn[]
const NAME_MAX = 20
const EACH_MOST = 100
export type ReceiverLine = { row: number; name: string; phone: string; n: number; fault: string }

const countOf = (typed: string): number => {
  const plain = typed.normalize('NFKC').trim()
  if (plain === '') return 1
  return /^\d{1,3}$/.test(plain) ? Number(plain) : 0
}
type Read = Omit<ReceiverLine, 'fault'>
const faultOf = ({ name, phone, n }: Read, seen: ReadonlyMap<string, number>): Text | undefined => {
  if (name === '' || name.length > NAME_MAX)
    return ['姓名须为 1 至 20 个字', 'A name has 1 to 20 letters']
  if (mobileOf(phone) === undefined) return ['手机号不正确', 'It is no mobile number']
  if (n < 1 || n > EACH_MOST) return ['数量须为 1 至 100', 'From 1 to 100 cards each']
  const before = seen.get(mobileOf(phone)!)
  return before === undefined
    ? undefined
    : [`手机号与第 ${before} 行重复`, `The number stands in line ${before} already`]
}
/**
 * Reads a file of receivers (.xlsx, .csv; base64) in the thread for files: each line with what is
 * wrong with it, or what is wrong with the file as a whole. Never asked inside a transaction.
 */
export const readReceivers = async (
  file: string,
  lang: Lang,
): Promise<{ fault: string | null; lines: ReceiverLine[] }> => {
  const found = await parseFile('table', {
    file: Buffer.from(file, 'base64'),
    sheet: undefined,
    columns,
  })
  const whole = (fault: Text) => ({ fault: say(fault, lang), lines: [] })
  if ('fault' in found) return whole(found.fault)
  if ('fault' in found.read) return whole(found.read.fault)
  const seen = new Map<string, number>()
  const lines = found.read.lines
    .filter(one => !one.skipped)
    .map(({ row, cells, fault }): ReceiverLine => {
      const [name = '', phone = '', n = ''] = cells.map(cell => cell.normalize('NFC').trim())
      const read = { row, name, phone: mobileOf(phone) ?? phone, n: countOf(n) }
      const wrong = fault ?? faultOf(read, seen)
      if (!wrong) seen.set(read.phone, row)
      return { ...read, fault: wrong ? say(wrong, lang) : '' }
    })
  if (lines.length === 0) return whole(['文件里没有收卡人', 'Nobody stands in the file'])
  const cards = lines.reduce((sum, one) => sum + (one.fault ? 0 : one.n), 0)
  return cards > ISSUE_MOST
    ? whole([
        `共 ${cards} 张，一次最多 ${ISSUE_MOST} 张，请拆成几个文件`,
        `${cards} cards, and ${ISSUE_MOST} at most at once: cut the file in pieces`,
      ])
    : { fault: null, lines }
}
