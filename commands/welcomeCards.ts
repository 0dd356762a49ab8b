import type { WelcomeAttachment } from '#src/areas/welcome/attachment.ts'
import { sayingFaults } from '#src/areas/welcome/saying.ts'
import type { WelcomeRow } from '#src/contract/welcome.ts'
import type { Text } from '#src/domain/text.ts'
import { ask } from './command.ts'

/** The questions of the cards below a welcome message. */
type Rows = readonly (WelcomeRow | undefined)[]
type Mini = Extract<WelcomeAttachment, { kind: 'miniprogram' }>
type Link = Extract<WelcomeAttachment, { kind: 'link' }>
const cards = {
  link: ['链接卡片', 'Link'],
  miniprogram: ['小程序卡片', 'Mini program'],
} as const satisfies Record<string, Text>
export const hasCard = (card: keyof typeof cards) => (of: { cards?: readonly string[] }) =>
  of.cards?.includes(card) ?? false
const linkOf = ([row]: Rows): Link | undefined =>
  row?.attachments.find((one): one is Link => one.kind === 'link')
const miniOf = ([row]: Rows): Mini | undefined =>
  row?.attachments.find((one): one is Mini => one.kind === 'miniprogram')

export const cardAsks = {
  cards: ask.choices({
    label: ['卡片', 'Cards'],
    options: cards,
    optional: true,
    initial: (rows: Rows) => [
      ...(linkOf(rows) ? ['link'] : []),
      ...(miniOf(rows) ? ['miniprogram'] : []),
    ],
  }),
  link_title: ask.text({
    label: ['链接标题', 'Link: title'],
    max: 60,
    initial: (rows: Rows) => linkOf(rows)?.title,
    shown: hasCard('link'),
    field: 'attachments',
  }),
  link_url: ask.text({
    label: ['链接地址', 'Link: address'],
    max: 500,
    initial: (rows: Rows) => linkOf(rows)?.url ?? 'https://',
    shown: hasCard('link'),
    check: (url: string) =>
      sayingFaults({ text: '', attachments: [{ kind: 'link', title: '', desc: '', url }] })
        .attachments,
    field: 'attachments',
  }),
  link_desc: ask.text({
    label: ['链接描述', 'Link: description'],
    max: 200,
    optional: true,
    initial: (rows: Rows) => linkOf(rows)?.desc,
    shown: hasCard('link'),
    field: 'attachments',
  }),
  mini_title: ask.text({
    label: ['小程序标题', 'Mini program: title'],
    max: 30,
    initial: (rows: Rows) => miniOf(rows)?.title,
    shown: hasCard('miniprogram'),
    field: 'attachments',
  }),
  mini_appid: ask.text({
    label: ['小程序 AppID', 'Mini program: AppID'],
    max: 32,
    initial: (rows: Rows) => miniOf(rows)?.appid,
    shown: hasCard('miniprogram'),
    hint: ['须已关联到企业微信', 'Linked to the corp in WeCom'],
    field: 'attachments',
  }),
  mini_page: ask.text({
    label: ['小程序页面', 'Mini program: page'],
    max: 200,
    initial: (rows: Rows) => miniOf(rows)?.page ?? 'pages/index/index',
    shown: hasCard('miniprogram'),
    field: 'attachments',
  }),
  mini_cover: ask.images({
    label: ['小程序封面', 'Mini program: cover'],
    max: 1,
    initial: (rows: Rows) => {
      const mini = miniOf(rows)
      return mini && [mini.key]
    },
    shown: hasCard('miniprogram'),
    field: 'attachments',
  }),
}
