import { expect, test } from 'vitest'
import { bulksActions, lookActions, productActions } from '#commands/audit/audit.ts'
import { practiceActions } from '#commands/audit/practice.ts'
import { problems } from '#src/kit/asks.ts'

const rejecting = [
  bulksActions.reject,
  bulksActions.batchReject,
  productActions.reject,
  productActions.batchReject,
  practiceActions.reject,
  lookActions.reject,
]
test.each(rejecting.map(action => [action.id, action] as const))(
  '%s refuses a variable that is none by its name',
  (_, { asks }) => {
    const told = (text: string) => problems(asks!, { why: { code: 'text', text } }, [])['why']?.[0]
    expect(told('{门店电话} 打不通')?.[0]).toContain('没有变量 {门店电话}')
    expect(told('{门店} 打不通')).toBeUndefined()
  },
)
