import { useLocation } from 'wouter'
import { useRead, skipToken } from '#src/kit/data.ts'
import { Empty, Failed, Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { codeBatches } from '../../contract/index.ts'
import { AmendForm, BatchShown } from '../../parts/AmendForm.tsx'
import { CopyForm, DraftForm, NewForm } from '../../parts/BatchForm.tsx'

/** A new batch, the batch of `edit/:id`, or a copy of that of `copy/:id`. */
export default function BatchFormPage() {
  const say = useSay()
  const [path] = useLocation()
  const [how, given] = path.split('/').slice(-2)
  const isOf = how === 'edit' || how === 'copy'
  const id = isOf ? Number(given) : 0
  const detail = useRead(codeBatches.detail, id > 0 ? { id } : skipToken)
  if (detail.error && !detail.data) return <Failed error={detail.error} retry={detail.refetch} />
  if (!isOf) return <NewForm />
  if (!(id > 0)) return <Empty title={say(['没有这个批次', 'Batch not found'])} />
  const row = detail.currentData ?? detail.data
  if (row?.id !== id) return <Loading lines={16} />
  if (how === 'copy') return <CopyForm key={id} source={row} />
  if (row.status === 'draft') return <DraftForm key={id} now={row} />
  const isLive = row.status === 'running' || row.status === 'paused'
  return isLive && !row.amending ? <AmendForm key={id} now={row} /> : <BatchShown now={row} />
}
