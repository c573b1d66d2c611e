import { useRef } from 'react';
import { GroupCard } from './group-card.js';
import { useShownMonth } from './month-context.js';
import { useReorder } from './use-reorder.js';

/** The groups of a month with their items, which can be dragged into another order. */
export function Groups() {
  const { month, isReadOnly } = useShownMonth();
  const area = useRef<HTMLDivElement>(null);
  const announcement = useReorder(area, isReadOnly);
  return (
    <>
      <div className="groups" ref={area}>
        {month.groups.map(group => (
          <GroupCard key={group.id} group={group} />
        ))}
      </div>
      <p className="visually-hidden" aria-live="assertive">
        {announcement}
      </p>
    </>
  );
}
