import { useDispatch } from 'react-redux'
import type { Action } from '#commands/command.ts'
import { listSearch } from '#commands/list.ts'
import type { Write } from '#src/contract/call.ts'
import { dispatchWrite } from '#src/kit/data.ts'
import { useSay } from '#src/kit/text.ts'
import { useAction, usePane, useWorkbench } from '#src/kit/workbench.ts'

type Asked = { page?: number; pageSize?: number; sort?: string }
/**
 * What every log page does with its list: `query` goes to the filters, `export` takes them as they
 * stand.
 */
export const useLogList = <S>(
  query: Action,
  exporting: Action,
  call: Write<S, unknown, { job_id: number; rows_expected: number }>,
  { input }: { input: Asked },
): void => {
  const say = useSay()
  const dispatch = useDispatch()
  const { toast } = useWorkbench()
  const { stage } = usePane()
  useAction(query, rows => stage.performer(listSearch.id)?.(rows))
  useAction(exporting, () => {
    const { page: _, pageSize: __, sort: ___, ...asked } = input
    dispatchWrite(dispatch as never, call, asked as S).then(
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
      () => {
        /* the refusal was told */
      },
    )
  })
}

/**
 * The filters under which a list shows just what a figure counted: what else was filtered by falls
 * away.
 */
export const onlyBy = (
  input: Asked,
  by: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const { page: _, pageSize: __, sort: ___, ...filters } = input
  return { ...Object.fromEntries(Object.keys(filters).map(key => [key, undefined])), ...by }
}
