import { members } from '#src/areas/member/members.server.ts'
import {
  countLines,
  kindWords,
  linesOf,
  noteWords,
  type DataLine,
} from '#src/areas/personalData/lines.server.ts'
import {
  afterClosing,
  dataParts,
  partKeys,
  type PartKey,
} from '#src/areas/personalData/personalData.ts'
import { say, type Lang, type Text } from '#src/domain/text.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { defineExport, startExport } from '#src/server/exports/exports.ts'
import { accountsPage as contract } from '../contract/list.ts'

const PAGE = 'user.list.exportData'
type Asked = {
  id: number
  reason: string
  format: 'csv' | 'xlsx'
  columns?: readonly string[] | undefined
}
/** Begins the copy of what is held of one member; the log keeps for what reason. */
export const startDataCopy = async (
  context: WriteContext,
  { id, reason, format, columns }: Asked,
): Promise<{ job_id: number; rows_expected: number }> => {
  const row = await members.read(context.tx, context.staff, id)
  const counts = await countLines(context.tx, id)
  // A part of which nothing is held has a line that says so.
  const rows_expected = Object.values(counts).reduce((sum, n) => sum + Math.max(1, n), 0)
  members.log(context, row, { after: { data_copy: rows_expected }, reason })
  return startExport(context, {
    page: PAGE,
    filters: { id },
    filters_text: row.uid,
    rows_expected,
    format,
    columns,
  })
}
const lineOf = (part: PartKey, line: DataLine, lang: Lang) => {
  const { title, after, law } = dataParts[part]
  const kind = kindWords[part]?.[line.kind]
  const note = noteWords[line.kind]?.[line.note]
  return {
    ...line,
    part: say(title, lang),
    kind: kind ? say(kind, lang) : line.kind,
    note: note ? say(note, lang) : line.note,
    after: say(afterClosing[after], lang),
    law: say(law, lang),
  }
}
const nothing: DataLine = {
  kind: '',
  no: '',
  note: '',
  phone: '',
  receiver: '',
  receiver_phone: '',
  receiver_address: '',
  cents: null,
  n: null,
  at: null,
}
const none: Text = ['无记录', 'Nothing is held']
type After = { part: number; skip: number }
defineExport(PAGE, {
  title: ['个人信息副本', 'Copy of personal data'],
  permit: contract.exportData.permit,
  columns: [
    { key: 'part', title: ['类别', 'Category'] },
    { key: 'kind', title: ['事项', 'What'] },
    { key: 'no', title: ['编号', 'Number'] },
    { key: 'note', title: ['内容', 'Content'] },
    { key: 'phone', title: ['手机号', 'Phone'], field: 'member.phone' },
    { key: 'receiver', title: ['收货人', 'Receiver'], field: 'order.receiver_name' },
    { key: 'receiver_phone', title: ['收货电话', 'Their phone'], field: 'order.receiver_phone' },
    { key: 'receiver_address', title: ['收货地址', 'Address'], field: 'order.receiver_address' },
    { key: 'cents', title: ['金额', 'Amount'], kind: 'money' },
    { key: 'n', title: ['数量', 'Count'], kind: 'number' },
    { key: 'at', title: ['时间', 'Time'], kind: 'time' },
    { key: 'after', title: ['账号注销后', 'After closing'] },
    { key: 'law', title: ['依据', 'By which law'] },
  ],
  rows: async ({ db, staff, filters, after, limit }) => {
    const { id } = await members.read(db, staff, Number(filters['id']))
    const { part: at, skip } = (after as After | undefined) ?? { part: 0, skip: 0 }
    const part = partKeys[at]!
    const found = await linesOf(db, part, { id, skip, limit })
    const isEmpty = found.length === 0 && skip === 0
    const told = isEmpty ? [{ ...nothing, note: say(none, staff.lang) }] : found
    const isFull = found.length === limit
    const following = isFull ? { part: at, skip: skip + limit } : { part: at + 1, skip: 0 }
    return {
      rows: told.map(line => lineOf(part, line, staff.lang)),
      next: following.part < partKeys.length ? following : undefined,
    }
  },
})
