import { joinActions as actions } from '#commands/channel/customerGroup.ts'
import { useBatchTold } from '#src/kit/batch-told.tsx'
import { useSay } from '#src/kit/text.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'

/** Says what is on its way to WeCom; what could not be read anew is told in what it answers. */
export const useJoinTold = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  const told = useBatchTold()
  const submitted = (): true => {
    toast(
      say(['已提交企微，一分钟内生效', 'Submitted to WeCom; takes effect within a minute']),
      'success',
    )
    return true
  }
  useResult(actions.addChat, submitted)
  useResult(actions.switchNow, submitted)
  useResult(actions.sortChat, submitted)
  useResult(actions.edit, submitted)
  useResult(actions.resume, submitted)
  useResult(actions.sync, of =>
    told.hear(of, [
      ['已开始同步 {n} 个群活码，完成后自动更新', '{n} codes are being read anew'],
      ['已开始同步 {n} 个，{m} 个不能同步', '{n} are being read, {m} can’t be'],
    ]),
  )
  return told.shown
}
