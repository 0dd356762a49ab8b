import type { Text } from '#src/domain/text.ts'

/** How a customer stands with the corp: followed, or by whom the last relation was ended. */
export const fileStates = {
  following: ['跟进中', 'Followed'],
  deleted_by_customer: ['被客户删除', 'Deleted us'],
  deleted_by_staff: ['员工删除', 'We deleted'],
} as const satisfies Record<string, Text>
export type FileState = keyof typeof fileStates
/** How several tags are asked for. */
export const tagAsks = {
  any: ['含任一', 'Any of'],
  all: ['同时含', 'All of'],
  none: ['不含', 'None of'],
} as const satisfies Record<string, Text>
type TagAsk = keyof typeof tagAsks
export const boundStates = {
  yes: ['已绑定会员', 'A member'],
  no: ['未绑定会员', 'No member'],
} as const satisfies Record<string, Text>
type BoundState = keyof typeof boundStates
/** The relations that something is written to, where several advisers follow a customer. */
export const forWhom = {
  first: ['首位在职跟进成员', 'The first adviser in service'],
  all: ['全部在职跟进成员', 'All advisers in service'],
} as const satisfies Record<string, Text>

/** What a list of customers is asked for; `from` and `to` in unix seconds, of the first add. */
export type FileFilters = {
  keyword?: string | undefined
  rel?: FileState | undefined
  /** 0: outside any mall. */
  mid?: number | undefined
  staff_id?: number | undefined
  tag_ids?: number[] | undefined
  tags_how?: TagAsk | undefined
  add_way?: string | undefined
  code_id?: number | undefined
  from?: number | undefined
  to?: number | undefined
  bound?: BoundState | undefined
  member_id?: number | undefined
  id?: number | undefined
}
/** Days within which what a customer paid is told. */
export const PAID_DAYS = 90
/** The most tags that a list is asked for at a time. */
export const TAG_FILTER_MOST = 10
