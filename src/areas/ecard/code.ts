import { isCodeLike, normalCode } from '#src/areas/secret/secretCode.ts'
import type { Text } from '#src/domain/text.ts'

export const batchKinds = {
  generate: ['生成', 'Made'],
  import: ['导入', 'Imported'],
} as const satisfies Record<string, Text>
/** Where a file of a batch's secrets stands: one person asks, another agrees, it is fetched once. */
export const secretStates = {
  none: ['未申请', 'Not asked for'],
  asked: ['待复核', 'Waits for a second person'],
  agreed: ['可导出', 'May be fetched'],
} as const satisfies Record<string, Text>
export type SecretState = keyof typeof secretStates
export const tryResults = {
  ok: ['成功', 'Right'],
  wrong: ['卡密错误', 'Wrong secret'],
  unknown: ['卡号不存在', 'No such card'],
  locked: ['已锁定', 'Locked'],
  refused: ['不可激活', 'Refused'],
} as const satisfies Record<string, Text>
export type TryResult = keyof typeof tryResults

/** Codes of one batch at most. */
export const BATCH_MOST = 50_000
/** Lines of an import that are told one by one. */
export const ERRORS_SHOWN = 200
/** So many wrong secrets in a row lock a card, and so many from an address in an hour lock that. */
export const WRONG_CARD = 5
export const WRONG_ADDRESS = 20
export const lineFaults = {
  form: ['格式不符：应为“卡号,卡密”', 'Not “number,secret”'],
  number: ['卡号须为 4 至 24 位字母与数字', 'A number has 4 to 24 letters and digits'],
  secret: ['卡密须为 4 至 32 位字母与数字', 'A secret has 4 to 32 letters and digits'],
  number_twice: ['卡号与前面的行重复', 'Its number is in a line before'],
  secret_twice: ['卡密与前面的行重复', 'Its secret is in a line before'],
  taken: ['卡号或卡密已在库中', 'Its number or secret is in stock'],
} as const satisfies Record<string, Text>
export type LineFault = keyof typeof lineFaults
export type BadLine = { line: number; fault: LineFault }
export type CodeLine = { line: number; card_no: string; secret: string }

const NUMBER_MOST = 24
const faultOf = (
  cells: readonly string[],
  seen: { numbers: ReadonlySet<string>; secrets: ReadonlySet<string> },
): LineFault | undefined => {
  const [card_no = '', secret = ''] = cells
  if (cells.length !== 2) return 'form'
  if (!isCodeLike(card_no) || card_no.length > NUMBER_MOST) return 'number'
  if (!isCodeLike(secret)) return 'secret'
  if (seen.numbers.has(card_no)) return 'number_twice'
  return seen.secrets.has(secret) ? 'secret_twice' : undefined
}
/** The codes of a file's lines, “number,secret” each, and the lines that are none and why. */
export const codeLines = (lines: readonly string[]): { good: CodeLine[]; bad: BadLine[] } => {
  const [numbers, secrets] = [new Set<string>(), new Set<string>()]
  const good: CodeLine[] = []
  const bad: BadLine[] = []
  lines.forEach((text, at) => {
    if (text.trim() === '') return
    const cells = text
      .normalize('NFKC')
      .split(/[,\t;]/)
      .map(normalCode)
    const fault = faultOf(cells, { numbers, secrets })
    if (fault) {
      bad.push({ line: at + 1, fault })
      return
    }
    const [card_no, secret] = cells as [string, string]
    numbers.add(card_no)
    secrets.add(secret)
    good.push({ line: at + 1, card_no, secret })
  })
  return { good, bad }
}

type BatchLook = { secrets: SecretState; asked_by: number | null; done: number }
export type SecretVerb = 'ask' | 'agree' | 'fetch'
/** Whether a person may do that about a file of a batch's secrets, or why not. */
export const secretsCan = (verb: SecretVerb, of: BatchLook | null, me: number): true | Text => {
  if (of === null) return ['随订单生成的卡密不能整批导出', 'Codes made for orders have no file']
  if (verb === 'ask') {
    if (of.done === 0) return ['该批次还没有卡密', 'No code is in the batch yet']
    return of.secrets === 'none' || ['已申请导出，等待处理', 'It is asked for already']
  }
  if (verb === 'agree') {
    if (of.secrets !== 'asked') return ['没有待复核的导出申请', 'Nobody asked for its file']
    return of.asked_by !== me || ['申请人不能复核自己的申请', 'Whoever asked can’t agree']
  }
  if (of.secrets !== 'agreed')
    return ['须先申请导出并由另一人复核', 'It is asked for and agreed to first']
  return of.asked_by === me || ['只有申请人可以导出', 'Only who asked may fetch it']
}
