import { expect, test } from 'vitest'
import { customerListActions } from '#commands/customer/list.ts'
import { memberActions } from '#commands/vip/members.ts'
import { say } from '#src/domain/text.ts'

const actions = { 会员: memberActions.saveSegment, 客户: customerListActions.saveSegment }
test.each(Object.entries(actions))(
  'filters that are kept tell how many %s they find, or that it is not counted yet',
  (who, { tells }) => {
    const told = (counted: string | undefined) => {
      const [text, values] = (tells as (rows: readonly unknown[]) => any)([
        { filters: {}, counted },
      ])
      return say(text, 'zh', values)
    }
    expect(told('1,234')).toBe(`当前筛选 1,234 位${who}`)
    expect(told('0')).toBe(`当前筛选 0 位${who}`)
    expect(told(undefined)).toBe(`当前筛选的${who}，人数在保存时统计`)
    expect((tells as (rows: readonly unknown[]) => unknown)([])).toBeUndefined()
  },
)
