/**
 * Transfers that came in, out of a bank's list: each line is written down and waits to be checked.
 */
import { and, inArray, ne } from 'drizzle-orm'
import { bankCents, bankColumns, bankKind, type BankKey } from '#src/areas/fund/bankSheet.ts'
import { chargeRecord as rows } from '#src/areas/fund/chargeRows.server.ts'
import { createCharge } from '#src/areas/fund/charges.server.ts'
import { fund_charge } from '#src/areas/fund/fund.table.ts'
import {
  lineFault,
  merchantsNamed,
  only,
  tellLines,
  theirs,
  type Owner,
} from '#src/areas/merchant/sheetNames.server.ts'
import { nameKey } from '#src/areas/merchant/storeSheet.ts'
import {
  linesAgain,
  templateOf,
  tryImport,
  writeLines,
  type CellLine,
  type Foreseen,
  type Import,
} from '#src/areas/sheet/importing.server.ts'
import { yuan } from '#src/domain/money.ts'
import { joined } from '#src/domain/text.ts'
import type { Handler } from '#src/server/call/implement.ts'
import { charges as contract } from '../contract/charge.ts'

type Given = {
  owner_id: number
  amount_cents: number
  bank: string
  bank_flow_no: string
  kind: 'recharge' | 'deposit'
  memo: string
}
type Known = {
  owners: ReadonlyMap<string, readonly Owner[]>
  /** Numbers of banks that are on record, with ours. */
  flows: ReadonlyMap<string, string>
}
const flowKey = (bank: string, flow: string): string => JSON.stringify([bank, flow])
const foreseenOf = ({ row, cells }: CellLine<BankKey>, known: Known): Foreseen<Given> => {
  const owner = only(
    known.owners.get(nameKey(cells.name)),
    cells.name,
    theirs(['商户', 'merchant']),
  )
  const amount_cents = bankCents(cells.amount)
  if (amount_cents === undefined)
    throw lineFault(
      '金额须为 0.01 至 1,000,000.00 元，最多两位小数',
      'The amount is 0.01 to 1,000,000.00 yuan with at most two decimals',
    )
  const kind = bankKind(cells.kind)
  if (!kind) throw lineFault('类型只能是“充值”或“保证金”', 'The kind is a top-up or a deposit')
  const [bank, flow, memo] = [cells.bank.trim(), cells.flow.trim(), cells.memo.trim()]
  if (bank === '' || bank.length > 60)
    throw lineFault('请填写银行，最多 60 个字', 'Name the bank in at most 60 letters')
  if (flow === '' || flow.length > 40)
    throw lineFault('请填写银行流水号，最多 40 个字', 'Give the bank’s number, at most 40 letters')
  if (memo.length > 200) throw lineFault('摘要最多 200 个字', 'The memo has at most 200 letters')
  const before = known.flows.get(flowKey(bank, flow))
  const told = { row, name: owner.name, version: null }
  if (before !== undefined)
    return { ...told, state: 'already', text: [`已登记为 ${before}`, `On record as ${before}`] }
  return {
    ...told,
    state: 'ready',
    text: [`登记 ${yuan(amount_cents)} 元，待复核`, `¥${yuan(amount_cents)}, to be checked`],
    given: {
      owner_id: owner.id,
      amount_cents,
      bank,
      bank_flow_no: flow,
      kind,
      memo: memo || joined(['银行回单导入', 'Imported from bank slips']),
    },
  }
}
const bankImport: Import<BankKey, Given> = {
  title: ['银行回单导入', 'Import of bank slips'],
  columns: bankColumns,
  foresee: async ({ tx, staff }, lines) => {
    const flows = [...new Set(lines.map(one => one.cells.flow.trim()))]
    const standing =
      flows.length === 0
        ? []
        : await tx
            .select()
            .from(fund_charge)
            .where(
              and(inArray(fund_charge.bank_flow_no, flows), ne(fund_charge.status, 'rejected')),
            )
    const known: Known = {
      owners: await merchantsNamed(
        tx,
        staff,
        lines.map(one => one.cells.name),
      ),
      flows: new Map(
        standing.map(one => [flowKey(one.bank ?? '', one.bank_flow_no ?? ''), one.no]),
      ),
    }
    return tellLines(
      lines,
      line => foreseenOf(line, known),
      given => flowKey(given.bank, given.bank_flow_no),
    )
  },
}

type Calls = 'importTemplate' | 'readImport' | 'import'
export const importHandlers = {
  importTemplate: async (_, context) => templateOf(bankImport, context),
  readImport: async (asked, context) => tryImport(bankImport, asked, context),
  import: async ({ lines }, context) => {
    const { ready, told } = await linesAgain(bankImport, context, lines)
    const written = await writeLines(context, ready, async (inside, given) => {
      const made = await createCharge(inside.tx, {
        ...given,
        owner_kind: 'merchant',
        channel: 'bank',
        maker_id: inside.staff.id,
        now: inside.now,
      })
      rows.log(inside, made, {
        before: null,
        after: {
          kind: made.kind,
          amount_cents: made.amount_cents,
          bank_flow_no: made.bank_flow_no,
        },
      })
      return { made: true, text: [`已登记为 ${made.no}，待复核`, `${made.no}, to be checked`] }
    })
    return { lines: [...told, ...written].sort((a, b) => a.row - b.row) }
  },
} satisfies { [K in Calls]: Handler<(typeof contract)[K]> }
