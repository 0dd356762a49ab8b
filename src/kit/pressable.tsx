import { Button, Classes, MenuItem, type ButtonProps, type MenuItemProps } from '@blueprintjs/core'
import type { Action, Page } from '#commands/command.ts'
import { useSay } from './text.ts'
import { useWorkbench } from './workbench.ts'

/** Why a control can't be had now, in the person's language; undefined where it can. */
type Why = { why: string | undefined }
const press = (event: { preventDefault: () => void; stopPropagation: () => void }) => {
  event.preventDefault()
  event.stopPropagation()
}
/**
 * A control that is off is drawn so and does nothing, but stays where keys go, so that its reason is
 * found: the native `disabled` would hide it.
 */
const off = (why: string | undefined, className: string | undefined) =>
  why === undefined
    ? { className }
    : {
        'aria-disabled': true,
        title: why,
        className: `${Classes.DISABLED} ${className ?? ''}`.trim(),
        onClick: press,
      }

/** A button that may be off for a reason, which is its description. */
export const PressButton = ({
  why,
  className,
  ...more
}: Omit<ButtonProps, 'disabled'> & Why & { title?: string | undefined }) => (
  <Button {...(more as ButtonProps)} {...(off(why, className) as ButtonProps)} />
)
/** An entry of a menu that may be off for a reason; pressed then, it leaves the menu open. */
export const MenuEntry = ({ why, className, ...more }: Omit<MenuItemProps, 'disabled'> & Why) => (
  <MenuItem
    {...more}
    {...(off(why, className) as Partial<MenuItemProps>)}
    shouldDismissPopover={why === undefined}
  />
)
/** Why somebody may not have an action or a page: the right that it needs; undefined if they may. */
export const useLacks = () => {
  const { me } = useWorkbench()
  const say = useSay()
  return (of: Pick<Action | Page, 'permit' | 'title' | 'en'>): string | undefined =>
    me.can(of.permit)
      ? undefined
      : say(['需要权限：{title}', 'Needs the right: {title}'], { title: say([of.title, of.en]) })
}
