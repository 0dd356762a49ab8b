import type { Action } from '#commands/command.ts'
import type { Write } from '#src/contract/call.ts'
import { useWrite } from './data.ts'
import { useSay } from './text.ts'
import { useAction, useWorkbench } from './workbench.ts'

/**
 * A page's export action: starts the job with the filters as they stand, or with the rows that it
 * was asked for, and tells where the file will be.
 */
export const useExport = <S>(
  action: Action,
  call: Write<S, any, { job_id: number; rows_expected: number }>,
  filters: (chosen: readonly { id: number }[]) => S,
) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const [start] = useWrite(call)
  useAction(
    action,
    (chosen: readonly { id: number }[]) =>
      void start(filters(chosen)).then(
        job =>
          toast(
            say(
              [
                '已开始导出 {n} 行，完成后在右上角“我的任务与导出”下载',
                'Exporting {n} rows; the file will be in My jobs and exports, top right',
              ],
              { n: job.rows_expected },
            ),
            'success',
          ),
        () => {},
      ),
  )
}
