import type { Action } from '#commands/command.ts'
import type { Write } from '#src/contract/call.ts'
import { useWrite } from './data.ts'
import { useSay } from './text.ts'
import { useAction, useWorkbench } from './workbench.ts'

/** A page's export action: starts the job with the filters as they stand and tells where the file will be. */
export const useExport = <S>(action: Action, call: Write<S, any, { job_id: number; rows_expected: number }>, filters: () => S) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const [start] = useWrite(call)
  useAction(action, () => void start(filters()).then(job => toast(say(['已开始导出 {n} 行，完成后在右上角“我的导出”下载', 'Exporting {n} rows; the file will be in My exports, top right'], { n: job.rows_expected }), 'success'), () => {}))
}
