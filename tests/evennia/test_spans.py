"""OpenTelemetry hears of turns and calls by its names for them, and never of words."""

from django.test import override_settings
from opentelemetry import trace

from ai_assistant.runtime.assembly import build_shared
from tests.evennia.living import LivingTestCase


class Span(trace.NonRecordingSpan):
    """A span as an SDK would keep it."""

    def __init__(self, name, context, attributes):
        super().__init__(trace.INVALID_SPAN_CONTEXT)
        self.name, self.told, self.ended = name, dict(attributes), False
        self.parent = trace.get_current_span(context) if context else None

    def set_attributes(self, attributes):
        """Add to what is told."""
        self.told |= attributes

    def end(self, end_time=None):
        """Be over."""
        self.ended = True


class Collector(trace.TracerProvider, trace.Tracer):
    """Stands in for OpenTelemetry's SDK."""

    def __init__(self):
        self.spans = []

    def get_tracer(self, *args, **named):
        """Return what makes spans."""
        return self

    def start_span(self, name, context=None, attributes=None, **named):
        """Begin a span."""
        self.spans.append(Span(name, context, attributes or {}))
        return self.spans[-1]

    start_as_current_span = start_span


COLLECTOR = Collector()


@override_settings(AI_ASSISTANT_SPANS=True)
class SpansTest(LivingTestCase):
    def setUp(self):
        if trace.get_tracer_provider() is not COLLECTOR:
            trace.set_tracer_provider(COLLECTOR)
        COLLECTOR.spans.clear()
        super().setUp()
        self.alice, self.marrek = self.a_player("Alice"), self.an_assistant("Marrek")

    def test_a_call_is_part_of_its_turn(self):
        self.model.say("Good day.")
        self.does(self.alice, "say Marrek, what of the lighthouse?")
        turn, call = COLLECTOR.spans
        assert (turn.name, call.name) == ("invoke_agent", "chat offline")
        assert call.parent is turn
        assert turn.ended
        assert call.ended
        assert call.told["gen_ai.agent.id"] == turn.told["gen_ai.agent.id"]
        assert call.told["ai_assistant.job"] == "chat"
        assert not any("lighthouse" in str([span.name, span.told]) for span in COLLECTOR.spans)

    def test_a_turn_that_fails_says_how(self):
        """Nothing of its error but its name is told."""
        self.model.replies.append(ValueError("secret"))
        self.does(self.alice, "say Marrek, are you there?")
        assert "secret" in "\n".join(self.logged())
        assert any("error.type" in span.told for span in COLLECTOR.spans)
        assert all(span.ended for span in COLLECTOR.spans)
        assert not any("secret" in str(span.told) for span in COLLECTOR.spans)

    def test_switched_off_nothing_is_told(self):
        with override_settings(AI_ASSISTANT_SPANS=False):
            assert build_shared().calls.spans is None
