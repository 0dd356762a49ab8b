import type { WelcomeAttachment } from '#src/areas/welcome/attachment.ts'
import {
  CHATS_MOST,
  GROUP_CARDS_MOST,
  templateCan,
  templateFaults,
  type TemplateVerb,
} from '#src/areas/welcome/groupWelcome.ts'
import { aside, joinedNames, say, type Lang, type Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  groupsWelcome as calls,
  templateRow,
  type TemplateRow,
} from '#src/modules/channel/contract/groupsWelcome.ts'
import { ask } from '../command.ts'
import { groupsWelcomePage as at } from '../pages/channel.ts'
import { mallAsk } from '../places.ts'
import { asking, createAction, one, reason, rowActions } from '../record.ts'
import { cardFields, linkAsked, materialAsk, miniAsked, type AskedCards } from '../welcomeCards.ts'
import { nameAsk } from '../welcomeSaying.ts'

const row = rowActions(at, templateRow)
const can = (verb: TemplateVerb) => (of: TemplateRow) => templateCan(verb, of, unixNow())
type Rows = readonly (TemplateRow | undefined)[]
const cards = {
  none: ['无', 'None'],
  image: ['图片', 'Picture'],
  link: ['链接', 'Link'],
  miniprogram: ['小程序', 'Mini program'],
  material: ['素材库', 'From the library'],
} as const satisfies Record<string, Text>
type Card = keyof typeof cards
const asks = {
  name: nameAsk,
  mall_id: mallAsk({
    optional: true,
    initial: ([of]: Rows) => of?.mall_id ?? undefined,
    hint: ['不选即各商场通用', 'Empty: for groups of any mall'],
  }),
  text: ask.text({
    label: ['文字', 'Text'],
    max: 3000,
    lines: 5,
    optional: true,
    initial: ([of]: Rows) => of?.text,
    hint: ['可用变量：{客户昵称}', 'Variable: {客户昵称} customer'],
    check: (text: string) =>
      text.trim() === '' ? undefined : templateFaults({ text, attachments: [] }).text,
  }),
  card: ask.choice({
    label: ['附件', 'Card'],
    options: cards,
    initial: ([of]: Rows) => of?.attachment?.kind ?? 'none',
    field: 'attachment',
  }),
  image: ask.images({
    label: ['图片', 'Picture'],
    max: GROUP_CARDS_MOST,
    initial: ([of]: Rows) => (of?.attachment?.kind === 'image' ? [of.attachment.key] : undefined),
    shown: (of: { card?: Card }) => of.card === 'image',
    hint: ['JPG 或 PNG', 'JPG or PNG'],
    field: 'attachment',
  }),
  ...cardFields('attachment'),
  material: materialAsk(calls.materials, of => of.card === 'material'),
  notify: ask.flag({
    label: ['应用时通知群主', 'Remind owners when it is applied'],
    initial: ([of]: Rows) => of?.notify ?? true,
  }),
}
type AskedTemplate = AskedCards & {
  name: string
  mall_id?: number
  text?: string
  card: Card
  image?: readonly string[]
  material?: number
  notify: boolean
}
const cardAsked = (asked: AskedTemplate): WelcomeAttachment | null => {
  switch (asked.card) {
    case 'image':
      return { kind: 'image', key: asked.image?.[0] ?? '' }
    case 'link':
      return linkAsked(asked)
    case 'miniprogram':
      return miniAsked(asked)
    case 'material':
      return { kind: 'material', id: asked.material ?? 0 }
    case 'none':
      return null
  }
}
const form = {
  asks,
  input: (asked: AskedTemplate) => ({
    name: asked.name,
    mall_id: asked.mall_id ?? null,
    text: asked.text ?? '',
    attachment: cardAsked(asked),
    notify: asked.notify,
  }),
}
const ofRow = ([of]: readonly TemplateRow[]) => ({ id: of!.id })

/** What is done with the messages that whoever joins a group gets. */
export const groupsWelcomeActions = {
  create: createAction(calls.create, ['新增入群欢迎语', 'New group welcome'], at, form),
  apply: row.row(calls.apply, ['应用到群', 'Apply to groups'], {
    key: 'a',
    main: 'plain',
    when: can('apply'),
    asks: {
      chat_ids: ask.entities({
        label: ['客户群', 'Groups'],
        max: CHATS_MOST,
        find: calls.chats,
        given: ofRow as never,
        labelOf: (of: { name: string; now: string }, lang: Lang) =>
          of.now ? `${of.name}${say(aside, lang, { it: of.now })}` : of.name,
        by: ['群名', 'name of the group'],
        none: ['没有可应用的群：群主须在职', 'No group can have it: owners have to be in service'],
        hint: ['已有欢迎语的群改用这一条', 'Groups that have another one turn to it'],
      }),
    },
    input: asking(asked => asked),
  }),
  edit: row.edit(calls.edit, ['编辑入群欢迎语', 'Edit the group welcome'], form, { main: false }),
  notifyOwner: row.row(calls.notifyOwner, ['通知群主', 'Remind owners'], {
    key: 'n',
    when: can('notifyOwner'),
    tells: ([of]) =>
      of && [
        ['提醒 {n} 个群的群主在企微中应用', 'Owners of {n} groups are asked to set it in WeCom'],
        { n: of.chats.filter(chat => chat.owner_able).length },
      ],
    input: one,
    takenBack: 'final',
  }),
  unapply: row.row(calls.unapply, ['取消应用', 'Take from groups'], {
    key: 'u',
    when: can('unapply'),
    asks: {
      chat_ids: ask.entities({
        label: ['客户群', 'Groups'],
        max: CHATS_MOST,
        find: calls.applied,
        given: ofRow as never,
        labelOf: (of: { name: string }) => of.name,
        initial: ([of]: Rows) =>
          of && of.chats_n <= CHATS_MOST ? of.chats.map(chat => chat.id) : undefined,
        named: ([of]) =>
          Object.fromEntries((of as TemplateRow).chats.map(chat => [chat.id, chat.name])),
      }),
    },
    input: asking(asked => asked),
  }),
  copy: row.row(calls.copy, ['复制入群欢迎语', 'Copy the group welcome'], {
    key: 'shift+c',
    input: one,
    takenBack: 'again',
  }),
  del: row.row(calls.del, ['删除入群欢迎语', 'Delete the group welcome'], {
    key: 'd',
    danger: true,
    tells: ([of]) =>
      of && of.chats_n > 0
        ? [
            ['{n} 个群正在使用：{names}', '{n} groups have it: {names}'],
            { n: of.chats_n, names: joinedNames(of.chats.map(chat => chat.name)) },
          ]
        : undefined,
    asks: {
      replace_id: ask.entity({
        label: ['这些群改用', 'These groups get'],
        find: calls.others,
        given: ofRow as never,
        labelOf: (of: { name: string }) => of.name,
        none: ['没有可替换的模板，请先新增', 'No template to choose: make one first'],
        shown: (_: unknown, [of]: Rows) => (of?.chats_n ?? 0) > 0,
      }),
      reason,
    },
    input: asking(asked => asked),
  }),
}
