/** What `HouseholdStreams.advance` is to do. */
export interface Advance {
  /** The revision of an event that is surely recorded; what comes before it is applied in any case. */
  readonly from: number;
  /** The most events that it applies; fewer that are large. */
  readonly eventsMax: number;
  /** A household of at most this many events is built in bulk if nothing is there; absent for none. */
  readonly bulkEventsMax?: number;
  /** Asked repeatedly during a bulk build; true abandons it. */
  readonly isStopped?: () => boolean;
}

/** What `HouseholdStreams.advance` did. */
export interface Advanced {
  /** How many it applied, but for what came before `from`. */
  readonly events: number;
  /** Whether the stream ended with them. */
  readonly isEnd: boolean;
  /** Up to which revision the documents reflect the household. */
  readonly revision: number;
  /** Of a household that was built in bulk, as `digestOfHousehold`. */
  readonly digest?: string;
}
