import { useDispatch } from 'react-redux'
import type { Action } from '#commands/command.ts'
import { listSearch } from '#commands/list.ts'
import type { Write } from '#src/contract/call.ts'
import { dispatchWrite } from '#src/kit/data.ts'
import { useSay } from '#src/kit/text.ts'
import { useAction, usePane, useWorkbench } from '#src/kit/workbench.ts'

type Asked = { page?: number; pageSize?: number; sort?: string }
/** What every log page does with its list: `query` goes to the filters, `export` takes them as they stand. */
export const useLogList = <S>(query: Action, exporting: Action, call: Write<S, unknown, { job_id: number; rows_expected: number }>, { input }: { input: Asked }): void => {
  const say = useSay()
  const dispatch = useDispatch()
  const { toast } = useWorkbench()
  const { stage } = usePane()
  useAction(query, rows => stage.performer(listSearch.id)?.(rows))
  useAction(exporting, () => {
    const { page: _, pageSize: __, sort: ___, ...asked } = input
    dispatchWrite(dispatch as never, call, asked as S).then(job => toast(say(['已开始导出 {n} 行，完成后在右上角“我的导出”下载', 'Exporting {n} rows; the file will be in My exports, top right'], { n: job.rows_expected }), 'success'), () => { /* the refusal was told */ })
  })
}
