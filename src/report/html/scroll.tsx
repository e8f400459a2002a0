import type { ComponentChildren } from 'preact';

const KEYBOARD = { tabIndex: 0 };

/** A frame that scrolls sideways what is too wide. It can be focused, so that it scrolls by keyboard too. */
export function Scroll({ children }: { children: ComponentChildren }) {
  return (
    <div class="scroll" {...KEYBOARD}>
      {children}
    </div>
  );
}
