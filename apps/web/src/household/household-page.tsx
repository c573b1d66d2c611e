export default function HouseholdPage() {
  return <h1>Household</h1>;
}
