import { faultOf, isUnknown } from '#src/server/db/faults.ts'
import { invalid, Refusal } from './refuse.ts'

const unavailable = () =>
  new Refusal(503, [
    '数据库暂时不可用，本次操作没有生效，请稍后重试',
    'The database is not available just now; nothing was changed, try again shortly',
  ])
/** What a fault of the database means to the caller; undefined for a fault of ours. */
export const refusalOf = (error: unknown): Refusal | undefined => {
  if (error instanceof Refusal) return error
  const fault = faultOf(error)
  switch (fault?.kind) {
    case 'unavailable':
      if (isUnknown(fault))
        return new Refusal(
          503,
          [
            '连接中断，不能确定操作是否已生效；请重试，重复提交不会生效两次',
            'The connection broke: it may or may not have been done. Try again, it will not be done twice',
          ],
          {},
          { rule: 'unknown' },
        )
      return unavailable()
    case 'rerun':
      return unavailable()
    case 'full':
      return new Refusal(
        503,
        [
          '磁盘空间不足，暂时只能查看，不能修改',
          'The disk is nearly full: reading works, changing does not',
        ],
        {},
        { rule: 'disk_full' },
      )
    case 'unique':
      return new Refusal(
        409,
        ['已存在相同的记录', 'There is such a record already'],
        {},
        { rule: 'unique' },
      )
    case 'reference':
      return new Refusal(
        409,
        ['关联的记录不存在或仍在使用', 'A related record is missing or still in use'],
        {},
        { rule: 'reference' },
      )
    case 'check':
      return new Refusal(
        422,
        ['内容不符合数据规则', 'The content breaks a rule of the data'],
        {},
        { rule: 'check' },
      )
    case 'input':
      return invalid({ _: ['含有无法保存的内容', 'Content that can not be kept'] })
    default:
      return undefined
  }
}
