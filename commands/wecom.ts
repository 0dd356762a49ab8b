import type { Read } from '#src/contract/call.ts'
import { aside, say, type Lang, type Text } from '#src/domain/text.ts'
import { ask } from './command.ts'

/** What is asked about customers in WeCom, wherever they are listed. */
type Tagged = { tags: readonly { id: number; name: string }[] }
/** Tags to give; `find` lists them with their groups. */
export const tagsAsk = (find: Read, hint: Text) =>
  ask.entities({
    label: ['企业标签', 'Tags'],
    max: 20,
    find,
    labelOf: (of: { name: string; group: string }) => `${of.group} / ${of.name}`,
    field: 'tags',
    hint,
  })
/** Tags to take off; it begins with the first that the customer has. */
export const takenTagsAsk = (find: Read) =>
  ask.entities({
    label: ['要移除的标签', 'Tags to remove'],
    max: 20,
    find,
    labelOf: (of: { name: string }) => of.name,
    field: 'untagged',
    initial: ([of]: readonly Tagged[]) => of?.tags.slice(0, 1).map(tag => tag.id),
    named: ([of]: readonly Tagged[]) =>
      Object.fromEntries((of?.tags ?? []).map(tag => [tag.id, tag.name])),
  })
/** The member that a customer is. */
export const memberAsk = (find: Read) =>
  ask.entity({
    label: ['会员', 'Member'],
    find,
    labelOf: (of: { name: string; uid: string }, lang: Lang) =>
      `${of.name}${say(aside, lang, { it: of.uid })}`,
    by: ['昵称开头或会员号', 'start of nickname, or member number'],
    hint: ['一位会员只能关联一位客户', 'A member can be linked to one customer only'],
  })
/** Asks for the colleague who takes over customers. */
export const receiverAsk = (find: Read) =>
  ask.entity({
    label: ['接收成员', 'Receiver'],
    find,
    labelOf: (of: { name: string; place: string; customer_count: number }, lang: Lang) =>
      `${of.name}${say(aside, lang, { it: `${of.place && `${of.place} · `}${of.customer_count}` })}`,
    by: ['姓名或企微账号', 'name or WeCom account'],
    field: 'to',
    hint: [
      '客户 24 小时内可拒绝；90 天内最多转接 2 次',
      'The customer can refuse within 24 hours; at most 2 transfers in 90 days',
    ],
  })
/** What WeCom tells a customer who is handed over; empty: its own words. */
export const customerNotice = ask.text({
  label: ['给客户的提示', 'Message to the customer'],
  max: 200,
  lines: 2,
  optional: true,
  hint: ['留空则使用企微默认提示', 'Empty: WeCom’s default message'],
})
