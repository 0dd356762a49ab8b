import { restoreCategories } from '#commands/mall/mall.ts'
import { comma } from '#src/domain/text.ts'
import { useRead, useWrite } from '#src/kit/data.ts'
import { Drawer } from '#src/kit/drawer.tsx'
import { useReturnFocus } from '#src/kit/focus.ts'
import { PressButton, useLacks } from '#src/kit/pressable.tsx'
import { Section, When } from '#src/kit/show.tsx'
import { Empty, Failed, Loading } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import { category } from '../contract/category.ts'
import './mall.css'

type OfMall = { mid: number; close: () => void }
const BackupList = ({ mid, close }: OfMall) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const lacks = useLacks()
  const { data, error, refetch } = useRead(category.backups, { mid })
  const [restore, { isLoading }] = useWrite(category.restore)
  if (error) return <Failed error={error} retry={refetch} />
  if (!data) return <Loading />
  if (data.list.length === 0)
    return <Empty title={say(['没有可恢复的版本', 'Nothing to bring back'])} />
  return data.list.map(one => (
    <Section
      key={one.id}
      title={one.backup_no}
      aside={
        <>
          <When at={one.at} />
          <span className="m-muted">{one.by}</span>
        </>
      }
    >
      <p>{one.names.join(say(comma)) || say(['（空）', '(empty)'])}</p>
      <PressButton
        size="small"
        loading={isLoading}
        why={lacks(restoreCategories)}
        onClick={() =>
          void restore({ mid, backup_no: one.backup_no }).then(
            () => {
              toast(say(['已恢复', 'Brought back']), 'success')
              close()
            },
            () => {},
          )
        }
      >
        {say(['恢复为这个版本', 'Bring this back'])}
      </PressButton>
    </Section>
  ))
}
/** Categories that copies replaced, each to be brought back. */
export const CategoryBackups = ({ mid, close }: OfMall) => {
  useReturnFocus()
  const say = useSay()
  return (
    <Drawer
      isOpen
      onClose={close}
      size={480}
      title={say(['被替换的分类', 'Categories that were replaced'])}
    >
      <BackupList mid={mid} close={close} />
    </Drawer>
  )
}
