import { say, type Lang, type Text } from '#src/domain/text.ts'

/** What a person is told of, and how. `{of}` is what it is about, `{who}` the colleague who did it. */
export const messageKinds = {
  export_done: ['{of}导出完成，共 {n} 行', '{of}: {n} rows exported'],
  export_failed: ['{of}导出失败：{why}', 'The export of {of} failed: {why}'],
  job_done: ['{of}已完成，共 {n} 行', '{of}: {n} rows done'],
  job_part: ['{of}已结束：完成 {n} 行，{failed} 行未完成', '{of}: {n} rows done, {failed} not'],
  job_failed: ['{of}中断：{why}', '{of} broke off: {why}'],
  audit_asked: ['{who}把“{of}”转交给你审核：{why}', '{who} passed “{of}” to you to audit: {why}'],
  second_agreed: [
    '{who}复核通过了你初审的“{of}”',
    '{who} agreed to “{of}”, which you decided first',
  ],
  second_refused: [
    '{who}复核未通过你初审的“{of}”：{why}',
    '{who} refused “{of}”, which you decided first: {why}',
  ],
  applied_passed: ['{who}通过了“{of}”的申请', '{who} approved what “{of}” applied for'],
  applied_refused: [
    '{who}驳回了“{of}”的申请：{why}',
    '{who} refused what “{of}” applied for: {why}',
  ],
  applied_asked: ['{who}要求“{of}”补充资料：{why}', '{who} asks “{of}” for more: {why}'],
  warning_fired: ['{level}预警：{of}', '{level} alarm: {of}'],
  warning_assigned: ['{who}把预警“{of}”指派给你', '{who} gave you the alarm “{of}”'],
  warning_escalated: [
    '预警“{of}”超时无人确认，已转给你',
    'Nobody acknowledged the alarm “{of}” in time: it is yours now',
  ],
  taken_back: [
    '{who}撤回了你对“{of}”的修改：{why}',
    '{who} took back your change of “{of}”: {why}',
  ],
  ecard_low: ['电子卡“{of}”卡密不足，请补充', 'E-card “{of}” is low on codes: bring in more'],
  film_deposit_low: [
    '出票渠道“{of}”预存款低于预警线，请充值',
    'The deposit at “{of}” is below its alarm: top it up',
  ],
  draft_taken: ['{who}接手了你正在编辑的“{of}”草稿', '{who} took over your draft of “{of}”'],
  page_published: ['“{of}”已按定时发布，版本 {no}', '“{of}” went live as scheduled, version {no}'],
  page_not_published: [
    '“{of}”定时发布未执行：{why}',
    '“{of}” was not published as scheduled: {why}',
  ],
  wecom_removal: [
    '{who}请你在企微群“{of}”移除 {n} 位成员（{names}）：{why}',
    '{who} asks you to remove {n} from the chat “{of}” in WeCom ({names}): {why}',
  ],
} as const satisfies Record<string, Text>
export type MessageKind = keyof typeof messageKinds

/** What a message was made from; a pair is a text in both languages. */
export type MessageFacts = Readonly<Record<string, string | number | Text>>
const factText = (fact: MessageFacts[string], lang: Lang): string => {
  if (typeof fact === 'number') return fact.toLocaleString('en-US')
  return typeof fact === 'string' ? fact : say(fact, lang)
}
/** A message as it is read, in one language. */
export const messageText = (kind: MessageKind, facts: MessageFacts, lang: Lang): string =>
  say(
    messageKinds[kind],
    lang,
    Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, factText(fact, lang)])),
  )
/** These tell of something that went wrong or waits for the person. */
const pressing: ReadonlySet<MessageKind> = new Set([
  'export_failed',
  'job_part',
  'job_failed',
  'second_refused',
  'applied_refused',
  'applied_asked',
  'warning_fired',
  'warning_assigned',
  'warning_escalated',
  'taken_back',
  'draft_taken',
  'ecard_low',
  'film_deposit_low',
  'page_not_published',
])
/** Whether a message is marked as one that presses. */
export const isPressing = (kind: MessageKind): boolean => pressing.has(kind)

/** Days that a message is kept. */
export const MESSAGE_DAYS = 90
