import { say, type Lang, type Text } from '#src/domain/text.ts'
import { treeOf, type Tree, type TreeRow } from '#src/domain/tree.ts'

/** The people whom an issue comes from. */
export const issueSides = {
  member: ['消费者', 'Consumers'],
  merchant: ['商家', 'Merchants'],
} as const satisfies Record<string, Text>
export type IssueSide = keyof typeof issueSides
export const ISSUE_LEVELS = 2
/** Where a ticket was opened. */
export const ticketChannels = {
  complaint: ['投诉', 'Complaint'],
  chat: ['在线咨询', 'Chat'],
  after_sale: ['售后', 'After-sale'],
} as const satisfies Record<string, Text>
export type TicketChannel = keyof typeof ticketChannels

/** What a top category promises before anybody says otherwise, in hours. */
export const USUAL_SLA = { first_h: 24, finish_h: 72 } as const
export const SLA_MAX_H = 720
/** The hours of both answers: the first comes before the last, and neither is said alone. */
export const slaFault = (first: number | null, finish: number | null): Text | undefined => {
  if ((first === null) !== (finish === null))
    return ['首次响应与办结时限须同时填写', 'Say both times, or neither']
  if (first === null || finish === null || first < finish) return undefined
  return ['办结时限须大于首次响应时限', 'It is finished later than first answered']
}

type Sla = { first_h: number | null; finish_h: number | null }
export type IssueFacts = TreeRow &
  Sla & {
    name: string
    side: IssueSide
    status: 'on' | 'off'
    fallback: boolean
    handler_group_id: number | null
  }
/** What holds for tickets of a category: its own word, or that of the one above it. */
export const heldBy = (tree: Tree<IssueFacts>, id: number) => {
  const upwards = tree.upwards(id)
  const timed = upwards.find(row => row.first_h !== null)
  return {
    handler_group_id: upwards.find(row => row.handler_group_id !== null)?.handler_group_id ?? null,
    first_h: timed?.first_h ?? USUAL_SLA.first_h,
    finish_h: timed?.finish_h ?? USUAL_SLA.finish_h,
    /** New tickets may be filed under it. */
    open: upwards.every(row => row.status === 'on'),
  }
}
/** The sides on which a ticket that fits nowhere has a category for what is left. */
export const sidesWithFallback = (rows: readonly IssueFacts[]): ReadonlySet<IssueSide> => {
  const tree = treeOf(rows)
  return new Set(rows.filter(row => row.fallback && heldBy(tree, row.id).open).map(row => row.side))
}
/** The times as people say them. */
export const slaWords = (
  { first_h, finish_h }: { first_h: number; finish_h: number },
  lang: Lang,
) =>
  say(['{first} 小时首响、{finish} 小时办结', 'first {first} h, done {finish} h'], lang, {
    first: first_h,
    finish: finish_h,
  })
