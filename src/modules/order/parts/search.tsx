import { readSearch } from '#src/areas/order/orderSearch.ts'
import { Keyword } from '#src/kit/filters.tsx'
import { Empty } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import type { ListState } from '#src/kit/uselist.ts'

const readOf = (list: Pick<ListState<unknown>, 'input'>) =>
  readSearch(String((list.input as { q?: string }).q ?? ''))
const NAMED_MAX = 5

/** The search field of orders. What was pasted and can't be read is named beside it. */
export const OrderKeyword = <Row,>({
  of,
  placeholder,
}: {
  of: ListState<Row>
  placeholder: string
}) => {
  const say = useSay()
  const { unread, left_off, parts } = readOf(of)
  const named = unread.slice(0, NAMED_MAX).map(text => `“${text}”`)
  return (
    <>
      <Keyword of={of} by="q" placeholder={placeholder} />
      {unread.length > 0 && parts.length > 0 && (
        <span className="m-muted" role="status">
          {say(['未识别 {n} 项：{named}', '{n} can’t be read: {named}'], {
            n: unread.length,
            named: named.join(' ') + (unread.length > NAMED_MAX ? ' …' : ''),
          })}
        </span>
      )}
      {left_off > 0 && (
        <span className="m-muted" role="status">
          {say(
            [
              '只搜索前 {n} 项，余下 {left} 项未搜索',
              'Only the first {n} are searched, {left} are not',
            ],
            {
              n: parts.length,
              left: left_off,
            },
          )}
        </span>
      )}
    </>
  )
}
/** Why nothing is found, where nothing of what was searched for can be read; else undefined. */
export const useUnread = (list: Pick<ListState<unknown>, 'input'>) => {
  const say = useSay()
  const { parts, unread } = readOf(list)
  return parts.length === 0 && unread.length > 0 ? (
    <Empty title={say(['搜索的内容无法识别', 'What is searched for can’t be read'])}>
      <p>
        {say([
          '其中没有文字或数字。请输入单号、手机号、券码或商品名。',
          'There are no letters or digits in it. Type an order number, phone, code or product.',
        ])}
      </p>
    </Empty>
  ) : undefined
}
