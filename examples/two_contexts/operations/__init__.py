"""The consumer: chats with operators and with customers. It imports neither Lamina nor the other context."""
